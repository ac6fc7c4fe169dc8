package io.slipstream.cli.data;

import io.slipstream.data.list.HugeList;
import io.slipstream.data.list.ListCsv;
import io.slipstream.data.list.ListJson;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code slipstream data export}. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description = "Writes the elements of a list as CSV, or as JSON, an object a line: those of its last commit. "
                + "Decimals keep their digits.")
final class ExportCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "DIR", description = "The folder of the list.")
    private Path folder;

    @Parameters(index = "1", paramLabel = "CLASS", description = "The class of its elements.")
    private String type;

    @Option(
            names = {"-cp", "--class-path"},
            paramLabel = "PATH",
            description = "Where that class is: folders and jars.")
    private String classPath = "";

    @Option(names = "--json", description = "Writes JSON in place of CSV.")
    private boolean isJson;

    @Option(names = "--out", paramLabel = "FILE", description = "Where to; standard output if not given.")
    private @Nullable Path file;

    @SuppressWarnings("NullAway.Init")
    ExportCommand() {}

    @Override
    public Integer call() throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator)) {
            if (!entry.isEmpty()) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        try (URLClassLoader loader =
                new URLClassLoader(urls.toArray(new URL[0]), ExportCommand.class.getClassLoader())) {
            export(Class.forName(type, false, loader));
            return 0;
        } catch (ClassNotFoundException e) {
            throw new IOException(
                    type + " is no class on the class path \"" + classPath + "\"; say where it is with --class-path",
                    e);
        }
    }

    private <T> void export(Class<T> elements) throws IOException {
        try (HugeList<T> list = HugeList.builder(elements).openReadOnly(folder)) {
            list.verify();
            Path to = file;
            if (to == null) {
                write(list, System.out);
            } else {
                try (OutputStream out = Files.newOutputStream(to)) {
                    write(list, out);
                }
            }
        }
    }

    private <T> void write(HugeList<T> list, OutputStream to) throws IOException {
        OutputStream out = new BufferedOutputStream(to);
        if (isJson) {
            ListJson.write(list, out);
        } else {
            ListCsv.write(list, out);
        }
        out.flush();
    }
}
