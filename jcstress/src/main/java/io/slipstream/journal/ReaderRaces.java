package io.slipstream.journal;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.record.JournalRecord;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A journal, its owner, and a reader that follows it: durable sequence, segments and bytes are published in this order
 * only.
 */
public final class ReaderRaces {
    private static final int SPINS = 300;

    private ReaderRaces() {}

    /** The reader sees whole records up to some commit, and each of them is there. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "nothing was committed yet")
    @Outcome(id = "1, 41", expect = Expect.ACCEPTABLE, desc = "the first record")
    @Outcome(id = "2, 83", expect = Expect.ACCEPTABLE, desc = "both records")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a record was counted as durable before it could be read")
    @State
    public static class TailingReader {
        private final Pair pair = new Pair();

        /** Appends and commits two records. */
        @Actor
        public void owner() {
            pair.append(41);
            pair.append(42);
        }

        /** Reads what is durable. */
        @Actor
        public void reader(II_Result result) {
            pair.read(result);
        }
    }

    /** Broken twin: the bytes come after the durable sequence. Must be found out. */
    @JCStressTest
    @JCStressMeta(TailingReader.class)
    @State
    public static class BrokenOrderOfWriting {
        private final Pair pair = new Pair();

        /** Commits a record, and then stores it. */
        @Actor
        public void owner() {
            pair.storage.holdBack();
            pair.append(41);
            for (int i = 0; i < SPINS; i++) {
                Thread.onSpinWait();
            }
            pair.storage.settle();
        }

        /** Reads what is durable. */
        @Actor
        public void reader(II_Result result) {
            pair.read(result);
        }
    }

    private static final class Pair {
        private static final JournalConfig CONFIG = JournalConfig.at(Durability.PROCESS)
                .withSegmentBytes(16 << 10)
                .withBatchBytes(4096)
                .withPrepareInBackground(false)
                .withVerification(JournalConfig.Verification.TAIL);
        private static final int LENGTH = JournalRecord.HEADER_BYTES + Long.BYTES;

        private final MemoryStorage storage = new MemoryStorage();
        private final MemorySegment frame = Arena.ofAuto().allocate(Frame.align(LENGTH), Frame.ALIGNMENT);
        private final Journal journal;
        private final JournalReader reader;
        private int count;
        private long sum;

        Pair() {
            try {
                journal = Journal.open(storage, CONFIG);
                reader = journal.reader(1);
            } catch (JournalException e) {
                throw new IllegalStateException(e);
            }
        }

        void append(long number) {
            try {
                JournalRecord.header(frame, 0, LENGTH, (short) 1, (byte) 0, (byte) 0);
                frame.set(ValueLayout.JAVA_LONG_UNALIGNED, JournalRecord.HEADER_BYTES, number);
                journal.append(frame, 0, (int) frame.byteSize());
                journal.commit();
            } catch (JournalException e) {
                throw new IllegalStateException(e);
            }
        }

        void read(II_Result result) {
            try {
                count = reader.poll(
                        (memory, offset, length) ->
                                sum += memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + JournalRecord.HEADER_BYTES),
                        10);
                result.r1 = count;
                result.r2 = (int) sum;
            } catch (JournalException e) {
                result.r1 = -1;
            }
        }
    }
}
