package io.slipstream.cli.schema;

import io.slipstream.data.schema.Definitions;
import io.slipstream.service.typed.Contract;
import picocli.CommandLine.Command;

/** {@code slipstream schema python}. */
@Command(
        name = "python",
        mixinStandardHelpOptions = true,
        description = "Prints a Python module with a dataclass for each record, which encodes and decodes itself: "
                + "those of a schema, or all of a typed service with --machine. It needs the package "
                + "slipstream_client.")
final class PythonCommand extends RecordsCommand {
    @Override
    String textOf(Definitions definitions) {
        return PythonModule.of(definitions);
    }

    @Override
    String textOf(Contract contract) {
        return PythonModule.of(contract);
    }
}
