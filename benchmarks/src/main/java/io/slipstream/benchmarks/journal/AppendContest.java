package io.slipstream.benchmarks.journal;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.JournalConfig;
import java.nio.file.Path;
import net.openhft.chronicle.queue.ChronicleQueue;

/** One thread appends to a fresh journal; in millions of records a second. */
final class AppendContest implements Contest {
    private final JournalConfig config;
    private final int payloadBytes;
    private final int records;
    private final int batch;
    private final long expected;

    AppendContest(JournalConfig config, int payloadBytes, int records, int batch) {
        this.config = config;
        this.payloadBytes = payloadBytes;
        this.records = records / batch * batch;
        this.batch = batch;
        this.expected = Payload.expectedSum(this.records);
    }

    @Override
    public double ours() throws Exception {
        Path folder = Folders.create();
        long nanos = OurJournal.append(folder, config, payloadBytes, records, batch);
        try (Journal journal = Journal.open(folder, config)) {
            Payload.check("ours", OurJournal.read(journal), expected);
        }
        Folders.remove(folder);
        return records * 1_000.0 / nanos;
    }

    @Override
    public double peer() throws Exception {
        Path folder = Folders.create();
        long nanos = ChronicleJournal.append(folder, payloadBytes, records);
        try (ChronicleQueue queue = ChronicleJournal.open(folder)) {
            Payload.check("the peer", ChronicleJournal.read(queue, payloadBytes), expected);
        }
        Folders.remove(folder);
        return records * 1_000.0 / nanos;
    }
}
