package io.slipstream.cli.replica;

import io.slipstream.cli.console.SiteOptions;
import io.slipstream.replica.backup.Promotion;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slipstream replica promote}. */
@Command(
        name = "promote",
        mixinStandardHelpOptions = true,
        description = "Lets a backup site take over. Its former primary can then answer no more.")
final class PromoteCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private SiteOptions site;

    @SuppressWarnings("NullAway.Init")
    PromoteCommand() {}

    @Override
    public Integer call() throws IOException {
        Promotion promotion = site.client().promote();
        spec.commandLine()
                .getOut()
                .printf(
                        Locale.ROOT,
                        "Promoted: term %d, with %,d records of the former primary.%n",
                        promotion.term(),
                        promotion.sequence());
        return 0;
    }
}
