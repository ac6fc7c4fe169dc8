package io.slipstream.sim.pair;

import io.slipstream.journal.Journal;
import io.slipstream.journal.JournalReader;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.storage.SimulatedStorage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What the log of a site holds: a sum of each record, without what each journal fills in itself.
 *
 * @param first sequence of the oldest record
 * @param sums  of the records, in order
 */
record PairLog(long first, List<Long> sums) {
    private static final int RECORDS_AT_ONCE = 256;

    /** Reads the log on a disk that nobody uses. */
    static PairLog read(SimulatedDisk disk, JournalConfig config) throws IOException {
        List<Long> sums = new ArrayList<>();
        try (Journal journal = Journal.open(new SimulatedStorage(disk, new SplittableRandom(0)), config);
                JournalReader reader = journal.reader(journal.firstSequence())) {
            int count = RECORDS_AT_ONCE;
            while (count > 0) {
                count = reader.poll((memory, offset, length) -> sums.add(sum(memory, offset, length)), RECORDS_AT_ONCE);
            }
            return new PairLog(journal.firstSequence(), sums);
        }
    }

    private static long sum(MemorySegment memory, long offset, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(memory.asSlice(
                        offset + JournalRecord.TYPE_OFFSET, JournalRecord.EPOCH_OFFSET - JournalRecord.TYPE_OFFSET)
                .toArray(ValueLayout.JAVA_BYTE));
        checksum.update(memory.asSlice(offset + JournalRecord.SEQUENCE_OFFSET, length - JournalRecord.SEQUENCE_OFFSET)
                .toArray(ValueLayout.JAVA_BYTE));
        return checksum.getValue();
    }

    long last() {
        return first + sums.size() - 1;
    }

    /** Returns why this is not the beginning of {@code whole}, as far as both still have it; null if it is. */
    @Nullable
    String differenceFrom(PairLog whole, long through) {
        long last = Math.min(last(), through);
        if (last > whole.last()) {
            return "the backup has record " + last + ", and the primary ends with " + whole.last();
        }
        for (long sequence = Math.max(first, whole.first); sequence <= last; sequence++) {
            if (!sums.get((int) (sequence - first)).equals(whole.sums.get((int) (sequence - whole.first)))) {
                return "record " + sequence + " at the backup is another one than at the primary";
            }
        }
        return null;
    }
}
