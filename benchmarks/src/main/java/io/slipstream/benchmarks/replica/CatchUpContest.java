package io.slipstream.benchmarks.replica;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.replica.backup.BackupSite;
import io.slipstream.replica.primary.JournalPush;
import io.slipstream.service.Service;
import io.slipstream.service.client.ServiceClient;
import java.io.IOException;
import java.nio.file.Path;

/**
 * An empty backup gets the journal of a service, verified at both ends and applied to its state machine; beside it the
 * files of the journal are copied through a socket. Neither forces. In megabytes a second.
 */
final class CatchUpContest implements Contest {
    private final Path primary = Sites.folder();
    private final Journal journal;

    CatchUpContest(int bytes, int commands) throws Exception {
        try (Service service = Service.start(Sites.config(primary, Durability.PROCESS), new Counter());
                ServiceClient client = ServiceClient.connect("127.0.0.1", service.port())) {
            Sites.send(client, bytes, commands);
        }
        journal =
                Journal.open(primary, Sites.config(primary, Durability.PROCESS).journal());
    }

    @Override
    public double ours() throws Exception {
        Path copy = Sites.folder();
        try (BackupSite backup = Sites.backup(copy, Durability.PROCESS);
                JournalPush push = Sites.push(primary, backup.port())) {
            long begin = System.nanoTime();
            push.open(journal, () -> {});
            Sites.awaitAll(push);
            long nanos = System.nanoTime() - begin;
            if (backup.report().received() != journal.nextSequence() - 1) {
                throw new IllegalStateException("the backup has " + backup.report());
            }
            return push.bytesSent() * 1e3 / nanos;
        } finally {
            Sites.remove(copy);
        }
    }

    @Override
    public double peer() throws Exception {
        Path copy = Sites.folder();
        try {
            return FileCopy.megabytesPerSecond(primary, copy);
        } finally {
            Sites.remove(copy);
        }
    }

    @Override
    public void close() throws IOException {
        journal.close();
        Sites.remove(primary);
    }
}
