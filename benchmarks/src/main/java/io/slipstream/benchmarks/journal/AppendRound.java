package io.slipstream.benchmarks.journal;

import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/**
 * One round of appending to a fresh journal at PROCESS, through a mapping, and of reading it back; returns millions of
 * records a second. {@link WithoutChecksum} makes another class of it, which works with journal classes of its own.
 */
public final class AppendRound implements Callable<Double> {
    private final JournalConfig config = JournalConfig.at(Durability.PROCESS).withWriteMode(WriteMode.MAPPED);
    private final int payloadBytes;
    private final int records;
    private final int batch;

    /** Appends {@code records} records in commits of {@code batch}. */
    public AppendRound(int payloadBytes, int records, int batch) {
        this.payloadBytes = payloadBytes;
        this.records = records / batch * batch;
        this.batch = batch;
    }

    @Override
    public Double call() throws Exception {
        Path folder = Folders.create();
        long nanos = OurJournal.append(folder, config, payloadBytes, records, batch);
        try (Journal journal = Journal.open(folder, config)) {
            Payload.check("ours", OurJournal.read(journal), Payload.expectedSum(records));
        }
        Folders.remove(folder);
        return records * 1_000.0 / nanos;
    }
}
