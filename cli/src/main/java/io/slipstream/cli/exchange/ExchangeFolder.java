package io.slipstream.cli.exchange;

import io.slipstream.exchange.service.ExchangeStateMachine;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * Remembers, beside the journal, with which settings its log has to be replayed.
 *
 * <p>An exchange with fewer instruments would answer the same commands otherwise and come to another state.
 */
public final class ExchangeFolder {
    /** The name of the file with the settings. */
    public static final String FILE = "exchange.properties";

    private ExchangeFolder() {}

    /**
     * Notes the settings of a new folder, or compares them with those of an old one.
     *
     * @return whether they are noted now; whoever cannot start the exchange then has to {@link #forget} them
     * @throws IOException if they differ, or the folder cannot be used
     */
    public static boolean requireSame(Path directory, int instruments, int maxOrders) throws IOException {
        Properties wanted = new Properties();
        wanted.setProperty("instruments", Integer.toString(instruments));
        wanted.setProperty("maxOrders", Integer.toString(maxOrders));
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            write(directory, file, wanted);
            return true;
        }
        Properties found = read(file);
        for (String name : wanted.stringPropertyNames()) {
            if (!wanted.getProperty(name).equals(found.getProperty(name))) {
                throw new IOException("the exchange in " + directory + " was made with " + name + "="
                        + found.getProperty(name) + ", not " + wanted.getProperty(name)
                        + "; start it with the same, or take another folder");
            }
        }
        return false;
    }

    /**
     * Returns a new machine with the settings of a folder.
     *
     * @throws IOException if they are not there
     */
    public static ExchangeStateMachine machine(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            throw new IOException(directory + " has no " + FILE + ", so it is no folder of 'serve exchange'");
        }
        Properties found = read(file);
        return new ExchangeStateMachine(number(found, "instruments", file), number(found, "maxOrders", file));
    }

    private static int number(Properties found, String name, Path file) throws IOException {
        try {
            return Integer.parseInt(found.getProperty(name, ""));
        } catch (NumberFormatException e) {
            throw new IOException(file + " has no whole number at '" + name + "'", e);
        }
    }

    private static Properties read(Path file) throws IOException {
        Properties found = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            found.load(reader);
        }
        return found;
    }

    /** Removes the settings, and the folder if nothing else is in it: the exchange has never been started. */
    static void forget(Path directory) throws IOException {
        Files.deleteIfExists(directory.resolve(FILE));
        try {
            Files.delete(directory);
        } catch (DirectoryNotEmptyException e) {
            // A journal without records, which is of use to the next start.
        }
    }

    private static void write(Path directory, Path file, Properties settings) throws IOException {
        try {
            Files.createDirectories(directory);
            Path temporary = directory.resolve(FILE + ".tmp");
            try (Writer writer = Files.newBufferedWriter(temporary)) {
                settings.store(writer, "Settings that the log of this exchange depends on");
            }
            Files.move(temporary, file);
        } catch (FileAlreadyExistsException e) {
            throw new IOException(directory + " is a file, not a folder", e);
        } catch (AccessDeniedException e) {
            throw new IOException("the folder " + directory + " is not writable", e);
        } catch (FileSystemException e) {
            throw new IOException(
                    "cannot make the folder " + directory + ", or write to it"
                            + (e.getReason() == null ? "" : ": " + e.getReason()),
                    e);
        }
    }
}
