package io.slipstream.cli.lab;

import io.slipstream.lab.report.Comparison;
import io.slipstream.lab.report.ComparisonPage;
import io.slipstream.lab.report.ResultFile;
import io.slipstream.lab.run.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints two results side by side. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        description = "Compares two results: of two machines, JVMs or dates.")
final class CompareCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "A.json", description = "The results.json that a run has written.")
    private Path a;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "B.json",
            description = "That of another run; without it, the JVMs of A are compared.")
    private @Nullable Path b;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Also writes a page with a column for each run; of the first"
                    + " two JVMs where one result is given.")
    private @Nullable Path html;

    @SuppressWarnings("NullAway.Init")
    CompareCommand() {}

    @Override
    public Integer call() throws IOException {
        RunResult one = read(a);
        RunResult other = b == null ? null : read(b);
        spec.commandLine().getOut().print(other == null ? Comparison.ofJvms(one) : Comparison.table(one, other));
        if (html != null && other != null) {
            ComparisonPage.write(one, other, html);
        } else if (html != null) {
            ComparisonPage.write(
                    one.on(one.machine().jvms().get(0)),
                    one.on(one.machine().jvms().get(1)),
                    html);
        }
        spec.commandLine().getOut().flush();
        return 0;
    }

    private static RunResult read(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IllegalArgumentException(file + " is a directory; name the results.json in it");
        }
        return ResultFile.read(file);
    }
}
