package io.slipstream.cli.journal;

import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.SchemaException;
import io.slipstream.journal.record.PayloadFormat;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.SchemaFile;
import io.slipstream.service.typed.ContractFormat;
import io.slipstream.service.typed.SchemaFormat;
import io.slipstream.service.typed.TypedMachine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** How the payloads in a journal are shown. */
final class PayloadOptions implements AutoCloseable {
    @Option(
            names = "--machine",
            paramLabel = "CLASS",
            description = "The class of the typed state machine whose log this is: its commands are shown as records. "
                    + "Without it, they are if the file commands.schema is in the folder, where a typed service "
                    + "writes it, and so are those of the exchange and the ledger.")
    private @Nullable String machine;

    @Option(
            names = {"-cp", "--class-path"},
            paramLabel = "PATH",
            showDefaultValue = Visibility.NEVER,
            description = "Where that class is: folders and jars.")
    private String classPath = "";

    private @Nullable Machines machines;

    @SuppressWarnings("NullAway.Init")
    PayloadOptions() {}

    /** Returns what the options name beside what is found by itself. */
    List<PayloadFormat> formats(Path folder) throws IOException {
        if (machine == null) {
            String schema = SchemaFile.read(folder);
            try {
                return schema == null || schema.isEmpty()
                        ? List.of()
                        : List.of(new SchemaFormat(Definitions.parse(schema)));
            } catch (SchemaException e) {
                throw new IOException(
                        folder.resolve(SchemaFile.NAME) + ": " + e.getMessage() + "; remove it to see bytes", e);
            }
        }
        machines = new Machines(folder, classPath);
        try {
            StateMachine made = machines.named(machine).get();
            if (made instanceof TypedMachine typed) {
                return List.of(new ContractFormat(typed.contract()));
            }
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        throw new IOException(machine + " is no " + TypedMachine.class.getName() + ", so its commands are bytes");
    }

    @Override
    public void close() throws IOException {
        if (machines != null) {
            machines.close();
        }
    }
}
