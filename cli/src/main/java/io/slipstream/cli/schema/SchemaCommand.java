package io.slipstream.cli.schema;

import io.slipstream.cli.console.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slipstream schema}. */
@Command(
        name = "schema",
        mixinStandardHelpOptions = true,
        description = "Shows what records consist of, compares versions, explains encoded bytes, and writes "
                + "records for Python and C. "
                + "A schema is a file that 'schema show' wrote, or the name of a class.",
        subcommands = {
            ShowCommand.class,
            DiffCommand.class,
            CheckCommand.class,
            DumpCommand.class,
            PythonCommand.class,
            CCommand.class
        })
public final class SchemaCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public SchemaCommand() {}

    @Override
    public void run() {
        throw Usage.which(spec);
    }
}
