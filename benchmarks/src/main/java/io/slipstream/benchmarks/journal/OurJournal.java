package io.slipstream.benchmarks.journal;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.JournalReader;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.record.JournalRecord;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** Ours: appends and reads. */
final class OurJournal {
    private static final int POLL = 1000;

    private OurJournal() {}

    /** Appends {@code records} records, commits every {@code batch} of them, and returns the nanoseconds. */
    static long append(Path folder, JournalConfig config, int payloadBytes, int records, int batch)
            throws JournalException {
        MemorySegment frames = Payload.frames(payloadBytes, batch);
        int aligned = Frame.align(JournalRecord.HEADER_BYTES + payloadBytes);
        try (Journal journal = Journal.open(folder, config)) {
            long begin = System.nanoTime();
            for (long number = 0; number < records; ) {
                for (int i = 0; i < batch; i++) {
                    Payload.number(frames, (long) i * aligned, number++);
                }
                journal.append(frames, 0, batch * aligned);
                journal.commit();
            }
            return System.nanoTime() - begin;
        }
    }

    /** Reads everything and returns the sum. */
    static long read(Journal journal) throws JournalException {
        long[] sum = {0};
        long last = journal.durableSequence().getAcquire();
        try (JournalReader reader = journal.reader(1)) {
            while (reader.nextSequence() <= last) {
                reader.poll(
                        (memory, offset, length) ->
                                sum[0] = sum[0] * 31 + Payload.number(memory, offset) * Payload.SUM_FACTOR,
                        POLL);
            }
        }
        return sum[0];
    }
}
