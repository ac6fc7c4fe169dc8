package io.slipstream.benchmarks.journal;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.JournalConfig;
import java.nio.file.Path;

/**
 * One thread appends, and commits every so many records; Aeron Archive records as many messages of the same size. In
 * thousands of records a second.
 */
final class ArchiveContest implements Contest {
    private final JournalConfig config;
    private final int fileSyncLevel;
    private final int payloadBytes;
    private final int records;
    private final int batch;
    private final long peerBatch;

    ArchiveContest(JournalConfig config, int fileSyncLevel, int payloadBytes, int records, int batch, long peerBatch) {
        this.config = config;
        this.fileSyncLevel = fileSyncLevel;
        this.payloadBytes = payloadBytes;
        this.records = records / batch * batch;
        this.batch = batch;
        this.peerBatch = peerBatch;
    }

    @Override
    public double ours() throws Exception {
        Path folder = Folders.create();
        long nanos = OurJournal.append(folder, config, payloadBytes, records, batch);
        try (Journal journal = Journal.open(folder, config)) {
            Payload.check("ours", OurJournal.read(journal), Payload.expectedSum(records));
        }
        Folders.remove(folder);
        return records * 1e6 / nanos;
    }

    @Override
    public double peer() throws Exception {
        Path folder = Folders.create();
        long nanos;
        try (AeronRecording recording = new AeronRecording(folder, fileSyncLevel, payloadBytes)) {
            nanos = recording.record(records, peerBatch);
        }
        Folders.remove(folder);
        return records * 1e6 / nanos;
    }
}
