package io.slipstream.cli.ipc;

import io.slipstream.ipc.IpcChannel;
import io.slipstream.ipc.Party;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code slipstream ipc stat}. */
@Command(
        name = "stat",
        mixinStandardHelpOptions = true,
        description = "Shows who is attached to a channel: process, position, lag, "
                + "and whether the kernel says that it lives.")
final class StatCommand implements Callable<Integer> {
    @Mixin
    private ChannelFileOption file;

    @SuppressWarnings("NullAway.Init")
    StatCommand() {}

    @Override
    public Integer call() throws IOException {
        try (ChannelView view = new ChannelView(file.file())) {
            IpcChannel channel = view.channel();
            System.out.printf(
                    Locale.ROOT,
                    "%s: ring of %d bytes, %s, %d bytes so far%n",
                    channel.file(),
                    channel.settings().capacity(),
                    channel.settings().manyPublishers() ? "many publishers" : "one publisher",
                    channel.tail());
            System.out.printf(
                    Locale.ROOT,
                    "%4s %-17s %-20s %9s %-8s %14s %10s%n",
                    "SLOT",
                    "KIND",
                    "NAME",
                    "PID",
                    "STATE",
                    "POSITION",
                    "LAG");
            for (Party party : channel.parties()) {
                System.out.printf(
                        Locale.ROOT,
                        "%4d %-17s %-20s %9d %-8s %14d %10d%n",
                        party.slot(),
                        kind(party),
                        party.name(),
                        party.pid(),
                        state(party),
                        party.position(),
                        party.lag());
            }
        }
        return 0;
    }

    private static String kind(Party party) {
        return party.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String state(Party party) {
        return !party.alive() ? "dead" : party.dropped() ? "dropped" : "alive";
    }
}
