package io.slipstream.cli.data;

import io.slipstream.data.list.HugeList;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slipstream data seal}. */
@Command(
        name = "seal",
        mixinStandardHelpOptions = true,
        description = "Makes the full blocks of a list smaller: each column takes the bytes that its values need. A "
                + "block in which an element is changed later is as before from then on. No other process may have "
                + "the list open to change it.")
final class SealCommand implements Callable<Integer> {
    @Mixin
    private ListOptions options;

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init")
    SealCommand() {}

    @Override
    public Integer call() throws IOException {
        options.load(this::seal);
        return 0;
    }

    private <T> void seal(Class<T> elements) throws IOException {
        try (HugeList<T> list = HugeList.builder(elements).open(options.folder())) {
            list.verify();
            long before = list.memoryBytes();
            int sealed = list.seal();
            spec.commandLine()
                    .getOut()
                    .println("Sealed " + sealed + " blocks; the blocks of the list take " + list.memoryBytes()
                            + " bytes, where they took " + before + ".");
        }
    }
}
