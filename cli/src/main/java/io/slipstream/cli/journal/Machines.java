package io.slipstream.cli.journal;

import io.slipstream.cli.exchange.ExchangeFolder;
import io.slipstream.keyvalue.KeyValueStore;
import io.slipstream.ledger.Ledger;
import io.slipstream.service.machine.StateMachine;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** State machines by name: those of {@code serve}, and classes of the user's own. */
public final class Machines implements AutoCloseable {
    private final Path folder;
    private final URLClassLoader loader;

    /**
     * Machines for the log in {@code folder}.
     *
     * @param classPath where classes are: folders, jars, and folders of jars that end in {@code /*}
     */
    public Machines(Path folder, String classPath) throws IOException {
        this.folder = folder;
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator)) {
            if (!entry.isEmpty()) {
                for (Path path : paths(entry)) {
                    urls.add(path.toUri().toURL());
                }
            }
        }
        this.loader = new URLClassLoader(urls.toArray(new URL[0]), Machines.class.getClassLoader());
    }

    /** As {@code java} has it, {@code lib/*} means all jars in {@code lib}. */
    private static List<Path> paths(String entry) throws IOException {
        Path path = Path.of(entry);
        boolean isAllJars = path.endsWith("*");
        Path named = isAllJars ? path.resolveSibling("") : path;
        if (!Files.exists(named)) {
            throw new IOException("there is no " + named + ", which the class path names");
        }
        if (!isAllJars) {
            return List.of(path);
        }
        try (Stream<Path> files = Files.list(named)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }

    /** Returns what makes machines of that name. */
    public Supplier<StateMachine> named(String name) throws IOException {
        return switch (name) {
            case "exchange" -> {
                ExchangeFolder.machine(folder);
                yield () -> {
                    try {
                        return ExchangeFolder.machine(folder);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                };
            }
            case "keyvalue" -> KeyValueStore::new;
            case "ledger" -> Ledger::new;
            default -> ofClass(name);
        };
    }

    private Supplier<StateMachine> ofClass(String name) throws IOException {
        Class<?> type;
        try {
            type = Class.forName(name, true, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IOException(
                    name + " is neither exchange, keyvalue or ledger nor a class that can be loaded (" + e
                            + "); say where it is with --class-path",
                    e);
        }
        if (!StateMachine.class.isAssignableFrom(type)) {
            throw new IOException(name + " is no " + StateMachine.class.getName());
        }
        return () -> create(type);
    }

    private static StateMachine create(Class<?> type) {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return (StateMachine) constructor.newInstance();
        } catch (NoSuchMethodException
                | IllegalAccessException
                | InstantiationException
                | InaccessibleObjectException e) {
            throw new IllegalArgumentException(
                    type.getName()
                            + " needs a constructor without arguments, and in a named module to be public and exported",
                    e);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    "the constructor of " + type.getName() + " has failed: " + e.getCause(), e);
        }
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}
