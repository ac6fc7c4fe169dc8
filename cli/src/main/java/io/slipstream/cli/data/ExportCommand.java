package io.slipstream.cli.data;

import io.slipstream.cli.console.OutputFile;
import io.slipstream.cli.console.Usage;
import io.slipstream.data.list.HugeList;
import io.slipstream.data.list.ListArrow;
import io.slipstream.data.list.ListCsv;
import io.slipstream.data.list.ListJson;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slipstream data export}. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description = "Writes the elements of a list: those of its last commit. Decimals keep their digits.")
final class ExportCommand implements Callable<Integer> {
    /** What is written. */
    enum Format {
        CSV,
        JSON,
        ARROW,
        ARROWS
    }

    @Spec
    private CommandSpec spec;

    @Mixin
    private ListOptions options;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description =
                    "As csv, if not given; json, an object a line; arrow, a file of Apache Arrow; arrows, a stream of"
                            + " it.")
    private @Nullable Format format;

    @Option(names = "--json", description = "The same as --format json.")
    private boolean isJson;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Where to; standard output if not given. Until all is written, it is FILE.part.")
    private @Nullable Path file;

    @Option(names = "--replace", description = "Replaces FILE if it is there.")
    private boolean replaces;

    @SuppressWarnings("NullAway.Init")
    ExportCommand() {}

    @Override
    public Integer call() throws IOException {
        if (isJson && format != null && format != Format.JSON) {
            throw Usage.wrong(spec, "--json and another --format exclude each other");
        }
        if (file != null) {
            requireReplaceable(file);
        }
        options.load(this::export);
        return 0;
    }

    private void requireReplaceable(Path to) throws IOException {
        OutputFile.requireFolder(to);
        if (Files.isDirectory(to)) {
            throw new IOException(to + " is a folder; name a file in it");
        }
        if (Files.exists(to) && !Files.isRegularFile(to)) {
            throw new IOException(to + " is no regular file; leave --out away, and send standard output to it");
        }
        if (!replaces && Files.exists(to)) {
            throw new IOException(to + " is there already; --replace replaces it");
        }
    }

    private <T> void export(Class<T> elements) throws IOException {
        try (HugeList<T> list = HugeList.builder(elements).openReadOnly(options.folder())) {
            list.verify();
            if (file == null) {
                write(list, System.out);
            } else {
                // The file itself and not a link to it is what is replaced.
                write(list, Files.exists(file) ? file.toRealPath() : file);
            }
        }
    }

    private <T> void write(HugeList<T> list, Path to) throws IOException {
        Path part = to.resolveSibling(to.getFileName() + ".part");
        try {
            // Arrow writes native memory straight to the channel of such a stream.
            try (OutputStream out = new FileOutputStream(part.toFile())) {
                write(list, out);
            }
            if (replaces) {
                Files.move(part, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } else {
                Files.move(part, to);
            }
        } catch (FileAlreadyExistsException e) {
            throw new IOException(to + " was made by somebody else meanwhile; --replace replaces it", e);
        } catch (IOException e) {
            throw OutputFile.failure(to, part, e);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private <T> void write(HugeList<T> list, OutputStream to) throws IOException {
        switch (isJson ? Format.JSON : format == null ? Format.CSV : format) {
            case ARROW -> ListArrow.writeFile(list, to);
            case ARROWS -> ListArrow.writeStream(list, to);
            case JSON -> {
                OutputStream out = new BufferedOutputStream(to);
                ListJson.write(list, out);
                out.flush();
            }
            case CSV -> {
                OutputStream out = new BufferedOutputStream(to);
                ListCsv.write(list, out);
                out.flush();
            }
        }
    }
}
