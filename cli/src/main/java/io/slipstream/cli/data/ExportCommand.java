package io.slipstream.cli.data;

import io.slipstream.data.list.HugeList;
import io.slipstream.data.list.ListCsv;
import io.slipstream.data.list.ListJson;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code slipstream data export}. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description = "Writes the elements of a list as CSV, or as JSON, an object a line: those of its last commit. "
                + "Decimals keep their digits.")
final class ExportCommand implements Callable<Integer> {
    @Mixin
    private ListOptions options;

    @Option(names = "--json", description = "Writes JSON in place of CSV.")
    private boolean isJson;

    @Option(names = "--out", paramLabel = "FILE", description = "Where to; standard output if not given.")
    private @Nullable Path file;

    @SuppressWarnings("NullAway.Init")
    ExportCommand() {}

    @Override
    public Integer call() throws IOException {
        options.load(this::export);
        return 0;
    }

    private <T> void export(Class<T> elements) throws IOException {
        try (HugeList<T> list = HugeList.builder(elements).openReadOnly(options.folder())) {
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
