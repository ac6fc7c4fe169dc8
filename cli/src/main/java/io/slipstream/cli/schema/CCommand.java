package io.slipstream.cli.schema;

import io.slipstream.data.schema.Definitions;
import io.slipstream.service.typed.Contract;
import picocli.CommandLine.Command;

/** {@code slipstream schema c}. */
@Command(
        name = "c",
        mixinStandardHelpOptions = true,
        description = "Prints a C11 header with a struct for each record, and functions that read and write it: "
                + "those of a schema, or all of a typed service with --machine. It needs nothing else.")
final class CCommand extends RecordsCommand {
    @Override
    String textOf(Definitions definitions) {
        return CHeader.of(definitions);
    }

    @Override
    String textOf(Contract contract) {
        return CHeader.of(contract);
    }
}
