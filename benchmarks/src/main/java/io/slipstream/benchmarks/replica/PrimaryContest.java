package io.slipstream.benchmarks.replica;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.journal.config.Durability;
import io.slipstream.replica.backup.BackupSite;
import io.slipstream.replica.primary.JournalPush;
import io.slipstream.service.Service;
import io.slipstream.service.client.ServiceClient;

import java.nio.file.Path;

/**
 * A service whose journal goes to a backup on the same machine, asynchronously, beside the same one without. The backup
 * takes its share of the processors, which it would not on a machine of its own. In commands a second.
 */
final class PrimaryContest implements Contest {
    private static final int COMMAND_BYTES = 64;

    private final Durability level;
    private final int commands;

    PrimaryContest(Durability level, int commands) {
        this.level = level;
        this.commands = commands;
    }

    @Override
    public double ours() throws Exception {
        Path primary = Sites.folder();
        Path copy = Sites.folder();
        try (BackupSite backup = Sites.backup(copy, Durability.PROCESS)) {
            JournalPush push = Sites.push(primary, backup);
            try (Service service = Service.start(Sites.config(primary, level).withLogGate(push), new Counter());
                 ServiceClient client = ServiceClient.connect("127.0.0.1", service.port())) {
                long nanos = Sites.send(client, COMMAND_BYTES, commands);
                Sites.awaitAll(push);
                return commands * 1e9 / nanos;
            }
        } finally {
            Sites.remove(primary);
            Sites.remove(copy);
        }
    }

    @Override
    public double peer() throws Exception {
        Path primary = Sites.folder();
        try (Service service = Service.start(Sites.config(primary, level), new Counter());
             ServiceClient client = ServiceClient.connect("127.0.0.1", service.port())) {
            return commands * 1e9 / Sites.send(client, COMMAND_BYTES, commands);
        } finally {
            Sites.remove(primary);
        }
    }
}
