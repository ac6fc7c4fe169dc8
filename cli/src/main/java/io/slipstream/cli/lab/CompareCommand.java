package io.slipstream.cli.lab;

import io.slipstream.lab.report.Comparison;
import io.slipstream.lab.report.ResultFile;
import io.slipstream.lab.run.RunResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;

/** Prints two results side by side. */
@Command(name = "compare", mixinStandardHelpOptions = true,
        description = "Compares two results: of two machines, JVMs or dates.")
final class CompareCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "A.json", description = "The results.json that a run has written.")
    private Path a;

    @Parameters(index = "1", arity = "0..1", paramLabel = "B.json",
            description = "That of another run; without it, the JVMs of A are compared.")
    private @Nullable Path b;

    @SuppressWarnings("NullAway.Init")
    CompareCommand() {
    }

    @Override
    public Integer call() throws IOException {
        spec.commandLine().getOut().print(b == null ? Comparison.ofJvms(read(a)) : Comparison.table(read(a), read(b)));
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
