package io.slipstream.cli.schema;

import io.slipstream.cli.console.Usage;
import io.slipstream.cli.journal.Machines;
import io.slipstream.data.schema.Definitions;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.typed.Contract;
import io.slipstream.service.typed.TypedMachine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints records as source text of another language: those of a schema, or all of a typed service. */
abstract class RecordsCommand implements Callable<Integer> {
    @Parameters(paramLabel = "SCHEMA", arity = "0..1", description = "A file, or the name of a class.")
    private @Nullable String schema;

    @Option(
            names = "--machine",
            paramLabel = "MACHINE",
            description = "Whose commands, queries and events they are: ledger, or the name of a class that extends "
                    + "TypedMachine.")
    private @Nullable String machine;

    @Mixin
    private SchemaSource source;

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init")
    RecordsCommand() {}

    abstract String textOf(Definitions definitions);

    abstract String textOf(Contract contract);

    @Override
    public Integer call() throws IOException {
        if (schema != null && machine == null) {
            System.out.print(textOf(source.read(schema)));
        } else if (machine != null && schema == null) {
            System.out.print(ofMachine(machine));
        } else {
            throw Usage.wrong(spec, "say what to write: a schema, or --machine");
        }
        return 0;
    }

    private String ofMachine(String name) throws IOException {
        try (Machines machines = new Machines(Path.of(""), source.classPath())) {
            StateMachine made = machines.named(name).get();
            if (made instanceof TypedMachine typed) {
                return textOf(typed.contract());
            }
            throw new IOException(name + " has no contract: it is no TypedMachine");
        }
    }
}
