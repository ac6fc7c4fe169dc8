package io.slipstream.cli.data;

import io.slipstream.cli.console.Usage;
import io.slipstream.data.CommitLevel;
import io.slipstream.data.json.Json;
import io.slipstream.data.list.HugeList;
import io.slipstream.data.list.HugeListBuilder;
import io.slipstream.data.list.ListArrow;
import io.slipstream.data.list.ListCsv;
import io.slipstream.data.list.ListJson;
import io.slipstream.data.text.CsvFormat;
import io.slipstream.data.text.CsvReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.channels.Channels;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slipstream data import}. */
@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        description = "Makes a list, in a folder that is not there yet, of the records of a file: CSV with the names "
                + "of the fields in its first line, JSON, an object a line, or Apache Arrow, a file or a stream. If a "
                + "record does not fit, it says which and why, and there is no list, or with --append the list is as "
                + "before.")
final class ImportCommand implements Callable<Integer> {
    @Mixin
    private ListOptions options;

    @Parameters(index = "2", paramLabel = "FILE", description = "What to read; - for standard input.")
    private String file;

    /** What is read. */
    enum Format {
        CSV,
        JSON,
        ARROW
    }

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "What FILE is: csv, json or arrow. If not given, arrow if its name ends in .arrow, .arrows, "
                    + ".ipc or .feather, else csv.")
    private @Nullable Format format;

    @Option(names = "--json", description = "The same as --format json.")
    private boolean isJson;

    @Option(names = "--append", description = "Adds to a list that is there, in place of making one.")
    private boolean append;

    @Option(names = "--identity", paramLabel = "FIELD", description = "The field by which the list finds elements.")
    private @Nullable String identity;

    @Option(
            names = "--by-rows",
            description = "Keeps the fields of an element side by side, which is faster where whole elements are read "
                    + "at random.")
    private boolean byRows;

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init")
    ImportCommand() {}

    @Override
    public Integer call() throws IOException {
        if (isJson && format != null && format != Format.JSON) {
            throw Usage.wrong(spec, "--json and another --format exclude each other");
        }
        options.load(this::take);
        return 0;
    }

    private <T> void take(Class<T> elements) throws IOException {
        if (Files.isDirectory(Path.of(file))) {
            throw new IOException(file + " is a folder; name a file in it");
        }
        try (InputStream in = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
            HugeListBuilder<T> builder = HugeList.builder(elements);
            if (identity != null) {
                builder.identity(identity);
            }
            if (byRows) {
                builder.byRows();
            }
            if (append) {
                try (HugeList<T> list = builder.open(options.folder())) {
                    read(list, in);
                }
                return;
            }
            if (Files.exists(options.folder())) {
                throw new IOException(options.folder() + " is there already; name a folder that is not, or --append");
            }
            boolean isDone = false;
            HugeList<T> list = builder.create(options.folder());
            try {
                read(list, in);
                isDone = true;
            } finally {
                list.close();
                if (!isDone) {
                    remove(options.folder());
                }
            }
        }
    }

    private <T> void read(HugeList<T> list, InputStream in) throws IOException {
        long count = switch (isJson ? Format.JSON : format == null ? formatOf(file) : format) {
            // A file of Arrow says at its end what it has.
            case ARROW -> file.equals("-") ? ListArrow.read(list, in) : ListArrow.read(list, Path.of(file));
            case JSON -> ListJson.read(list, Json.of(list.schema().type()), lines(in));
            case CSV -> ListCsv.read(list, CsvReader.of(Channels.newChannel(in), CsvFormat.RFC_4180));
        };
        list.commit(CommitLevel.SYNC);
        spec.commandLine().getOut().println("Added " + count + " elements; the list has " + list.size() + ".");
    }

    private static Format formatOf(String file) {
        String name = file.toLowerCase(Locale.ROOT);
        return Stream.of(".arrow", ".arrows", ".ipc", ".feather").anyMatch(name::endsWith) ? Format.ARROW : Format.CSV;
    }

    private static BufferedReader lines(InputStream in) {
        return new BufferedReader(new InputStreamReader(
                in, StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT)));
    }

    /** Removes a list that was begun. Its folder was not there before, so nothing else is in it. */
    private static void remove(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
