package io.slipstream.cli.replica;

import io.slipstream.cli.console.SiteOptions;
import io.slipstream.replica.backup.SiteReport;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slipstream replica status}. */
@Command(name = "status", mixinStandardHelpOptions = true, description = "Says how a backup site is.")
final class StatusCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private SiteOptions site;

    @SuppressWarnings("NullAway.Init")
    StatusCommand() {}

    @Override
    public Integer call() throws IOException {
        SiteReport report = site.client().status();
        spec.commandLine()
                .getOut()
                .printf(
                        Locale.ROOT,
                        """
                        role        %s, term %d
                        primary     %s
                        received    record %,d, durable here
                        lag         %,d records when the primary last spoke
                        applied     record %,d
                        state hash  %016x
                        """,
                        report.role().name().toLowerCase(Locale.ROOT),
                        report.term(),
                        report.connected() ? "connected" : "not connected",
                        report.received(),
                        report.lag(),
                        report.applied(),
                        report.stateHash());
        return 0;
    }
}
