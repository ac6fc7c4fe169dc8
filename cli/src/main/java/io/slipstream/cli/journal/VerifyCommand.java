package io.slipstream.cli.journal;

import io.slipstream.journal.tool.JournalTool;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code slipstream journal verify}. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = "Reads everything and checks it. Exit code 0 if all is well, 1 if not.")
final class VerifyCommand implements Callable<Integer> {
    @Mixin
    private JournalFolder folder;

    @SuppressWarnings("NullAway.Init")
    VerifyCommand() {}

    @Override
    public Integer call() throws IOException {
        if (folder.isMember()) {
            return folder.member(System.out).verify() ? 0 : 1;
        }
        try (JournalTool tool = folder.tool(System.out)) {
            return tool.verify() ? 0 : 1;
        }
    }
}
