package io.slipstream.cli.lab;

import io.slipstream.lab.tool.KNucleotide;
import io.slipstream.lab.tool.StandardInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Counts nucleotide sequences of a FASTA text on standard input, which is mapped when it is a file. */
@Command(
        name = "k-nucleotide",
        mixinStandardHelpOptions = true,
        description = "Counts nucleotide sequences of a FASTA text on standard input.")
public final class KNucleotideCommand implements Callable<Integer> {
    private static final Path STANDARD_INPUT = Path.of("/proc/self/fd/0");

    @Spec
    private CommandSpec spec;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public KNucleotideCommand() {}

    @Override
    public Integer call() throws IOException {
        if (Files.isDirectory(STANDARD_INPUT)) {
            throw new IOException("standard input is a directory, not a FASTA text");
        }
        try (StandardInput input = StandardInput.open()) {
            spec.commandLine().getOut().print(KNucleotide.read(input.bytes()).report());
            spec.commandLine().getOut().flush();
            return 0;
        }
    }
}
