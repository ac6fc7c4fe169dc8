package io.slipstream.sim.journal;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.record.RecordHandler;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** What must be in a journal: all that was appended, and how much of it may no longer be lost. */
final class JournalModel {
    private static final short TYPE = 1;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final List<Long> appended = new ArrayList<>();
    private long nextId;
    private long survivesKill;
    private long survivesPowerLoss;
    private long lastForced;
    private long proven;
    private long newestSnapshot;
    private long trimmedTo;
    private long snapshotBefore;

    /** Returns a new payload's identity, from which its length and its bytes follow. */
    long newId() {
        return nextId++;
    }

    /** Notes that the next sequence has been accepted. */
    void accepted(long id) {
        appended.add(id);
    }

    /** Notes that the last {@code count} were not accepted after all. */
    void rejected(int count) {
        appended.subList(appended.size() - count, appended.size()).clear();
    }

    /** Notes that all up to {@code sequence} was acknowledged as safe from the death of the process. */
    void acknowledgedForKill(long sequence) {
        survivesKill = Math.max(survivesKill, sequence);
    }

    /** Notes that all up to {@code sequence} was acknowledged as safe from a loss of power. */
    void acknowledgedForPowerLoss(long sequence) {
        acknowledgedForKill(sequence);
        survivesPowerLoss = Math.max(survivesPowerLoss, sequence);
    }

    /** Notes that a snapshot was taken, which makes what is in it durable. */
    void snapshotTaken(long sequence) {
        acknowledgedForPowerLoss(sequence);
        if (sequence != newestSnapshot) {
            snapshotBefore = newestSnapshot;
            newestSnapshot = sequence;
        }
    }

    /** Returns the sequence of the newest snapshot; 0 if there is none. */
    long newestSnapshot() {
        return newestSnapshot;
    }

    /** Requires that the journal still begins where the kept snapshots need it to. */
    void checkFirst(long firstSequence) {
        if (firstSequence > Math.max(trimmedTo, (newestSnapshot == 0 ? 0 : snapshotBefore) + 1)) {
            throw new BrokenPromise("the journal begins with record " + firstSequence + ", and its snapshots are of "
                    + snapshotBefore + " and " + newestSnapshot);
        }
    }

    /** Notes that records before {@code sequence} were given up while there was no snapshot. */
    void trimmedTo(long sequence) {
        trimmedTo = Math.max(trimmedTo, sequence);
    }

    /** Notes that a batch up to {@code sequence} was forced: the mark of the next batch, if there is one, proves it. */
    void forced(long sequence) {
        if (sequence > lastForced) {
            proven = lastForced;
            lastForced = sequence;
        }
    }

    /**
     * Requires that what was cut off after a bit has flipped is nothing that a mark behind it proves to have been
     * durable.
     */
    void checkCut(long last, String what) {
        if (last < proven) {
            throw new BrokenPromise(what + ": cut off behind record " + last
                    + ", although there is proof that those up to "
                    + proven + " were durable");
        }
    }

    /** Notes that the power was lost: from now on it is enough if that is there which was safe from it. */
    void powerLost() {
        survivesKill = survivesPowerLoss;
    }

    /** Compares the record with what was appended as {@code sequence}. */
    void check(long sequence, MemorySegment memory, long offset, int length) {
        if (sequence > appended.size()) {
            throw new BrokenPromise("record " + sequence + " was never appended");
        }
        long id = appended.get((int) sequence - 1);
        if (length != length(id) || JournalRecord.type(memory, offset) != TYPE) {
            throw new BrokenPromise("record " + sequence + " has another length or type than what was appended");
        }
        for (int i = JournalRecord.HEADER_BYTES; i + Long.BYTES <= length; i += Long.BYTES) {
            if (memory.get(LONG, offset + i) != word(id, i)) {
                throw new BrokenPromise("record " + sequence + " has other bytes than what was appended");
            }
        }
    }

    /** Compares how many records a recovery has found with what it must find; what it did not find is gone for good. */
    void recovered(long count, String what) {
        if (count > appended.size()) {
            throw new BrokenPromise(what + ": found " + count + " records, appended were " + appended.size());
        }
        if (count < survivesKill) {
            throw new BrokenPromise(what + ": found " + count + " records, acknowledged were " + survivesKill);
        }
        appended.subList((int) count, appended.size()).clear();
        acknowledgedForPowerLoss(count);
        lastForced = count;
        proven = count;
    }

    /** Returns whether a record of a snapshot is the one that was written for {@code sequence}. */
    static boolean isSnapshotOf(long sequence, MemorySegment memory, long offset) {
        return memory.get(LONG, offset + JournalRecord.HEADER_BYTES) == sequence;
    }

    /** Writes the frame of {@code id} at {@code offset} and returns its aligned length. */
    static int write(MemorySegment memory, long offset, long id) {
        int length = length(id);
        JournalRecord.header(memory, offset, length, TYPE, (byte) 1, (byte) 0);
        for (int i = JournalRecord.HEADER_BYTES; i + Long.BYTES <= length; i += Long.BYTES) {
            memory.set(LONG, offset + i, word(id, i));
        }
        return Frame.align(length);
    }

    private static int length(long id) {
        long hash = mix(id);
        int most = (hash & 15) == 0 ? 3000 : 200;
        return JournalRecord.HEADER_BYTES + Long.BYTES + (int) ((hash >>> 8 & 0xFFFF) % most);
    }

    /** Some payloads are full of zeros, as real ones are. */
    private static long word(long id, int offset) {
        return offset == JournalRecord.HEADER_BYTES ? id : (id & 3) == 0 ? 0 : mix(id * 31 + offset);
    }

    private static long mix(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    /** Checks each record of a reader, from {@code due[0]} on, which goes along. */
    RecordHandler checking(long[] due) {
        return (memory, offset, length) -> {
            if (JournalRecord.sequence(memory, offset) != due[0]) {
                throw new BrokenPromise(
                        "record " + JournalRecord.sequence(memory, offset) + " where " + due[0] + " is due");
            }
            check(due[0]++, memory, offset, length);
        };
    }
}
