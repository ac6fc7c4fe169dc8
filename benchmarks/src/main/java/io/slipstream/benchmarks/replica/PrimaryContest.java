package io.slipstream.benchmarks.replica;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.journal.config.Durability;
import io.slipstream.replica.primary.JournalPush;
import io.slipstream.service.Service;
import io.slipstream.service.client.ServiceClient;
import java.nio.file.Path;

/**
 * A service whose journal goes to a backup, asynchronously, beside the same one without. In commands a second.
 *
 * <p>The backup is another process on the same machine, which gives way to the primary; see {@link BackupProcess}.
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
        try (BackupProcess backup = new BackupProcess(copy)) {
            JournalPush push = Sites.push(primary, backup.port());
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
