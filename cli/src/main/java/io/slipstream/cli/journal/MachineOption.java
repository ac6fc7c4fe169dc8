package io.slipstream.cli.journal;

import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The log of a service, and the state machine that is to replay it: arguments of commands that replay. */
final class MachineOption {
    @Parameters(index = "0", paramLabel = "DIR", description = "The folder of the service.")
    private Path folder;

    @Option(
            names = "--machine",
            paramLabel = "MACHINE",
            required = true,
            description = "The machine: exchange, keyvalue, ledger, or the name of a class.")
    private String machine;

    @Option(
            names = {"-cp", "--class-path"},
            paramLabel = "PATH",
            showDefaultValue = Visibility.NEVER,
            description = "Where its class is: folders, jars, and lib/* for all jars in lib.")
    private String classPath = "";

    @SuppressWarnings("NullAway.Init")
    MachineOption() {}

    Path folder() {
        return folder;
    }

    String machine() {
        return machine;
    }

    String classPath() {
        return classPath;
    }

    /** Returns the machines of its class path. */
    Machines machines() throws IOException {
        return new Machines(folder, classPath);
    }
}
