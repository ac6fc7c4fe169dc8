package io.slipstream.benchmarks.journal;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.JournalConfig;
import java.io.IOException;
import java.nio.file.Path;
import net.openhft.chronicle.queue.ChronicleQueue;

/** One thread reads a journal from its beginning to its end; in millions of records a second. */
final class ReadContest implements Contest {
    private final Path ourFolder = Folders.create();
    private final Path peerFolder = Folders.create();
    private final int payloadBytes;
    private final int records;
    private final long expected;
    private final Journal journal;

    ReadContest(JournalConfig config, int payloadBytes, int records) throws IOException {
        this.payloadBytes = payloadBytes;
        this.records = records;
        this.expected = Payload.expectedSum(records);
        OurJournal.append(ourFolder, config, payloadBytes, records, 1);
        ChronicleJournal.append(peerFolder, payloadBytes, records);
        this.journal = Journal.open(ourFolder, config);
    }

    @Override
    public double ours() throws Exception {
        long begin = System.nanoTime();
        long sum = OurJournal.read(journal);
        long nanos = System.nanoTime() - begin;
        Payload.check("ours", sum, expected);
        return records * 1_000.0 / nanos;
    }

    @Override
    public double peer() throws Exception {
        try (ChronicleQueue queue = ChronicleJournal.open(peerFolder)) {
            long begin = System.nanoTime();
            long sum = ChronicleJournal.read(queue, payloadBytes);
            long nanos = System.nanoTime() - begin;
            Payload.check("the peer", sum, expected);
            return records * 1_000.0 / nanos;
        }
    }

    @Override
    public void close() throws IOException {
        journal.close();
        Folders.remove(ourFolder);
        Folders.remove(peerFolder);
    }
}
