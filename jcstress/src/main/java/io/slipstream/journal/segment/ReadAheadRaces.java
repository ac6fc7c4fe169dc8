package io.slipstream.journal.segment;

import io.slipstream.journal.storage.StorageFile;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The window that goes from a reader to its helper and back. It stands in this package to reach it. */
public final class ReadAheadRaces {
    private static final int BYTE = 7;
    private static final int RUN_BYTES = 64;
    private static final int WORD = BYTE * 0x01010101;
    private static final StorageFile FILE = new Sevens();
    private static final SegmentIndex INDEX = index();

    private ReadAheadRaces() {
    }

    /** The reader gets all that the helper has read, or takes its question back; both have the window never. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "taken back before the helper had begun")
    @Outcome(id = "117901063, 4160", expect = Expect.ACCEPTABLE, desc = "the bytes, and where the proven ones end")
    @Outcome(expect = Expect.FORBIDDEN, desc = "half an answer")
    @State
    public static class QuestionAndAnswer {
        private final Window mine = new Window(4096);
        private final ReadAhead ahead = new ReadAhead(4096);

        /** Asks, before both begin. */
        public QuestionAndAnswer() {
            ahead.pose(FILE, INDEX, SegmentHeader.BYTES);
        }

        /** Takes the answer. */
        @Actor
        public void reader(II_Result result) {
            Window window = ahead.take(FILE, SegmentHeader.BYTES, mine);
            if (window != mine) {
                result.r1 = window.getInt(SegmentHeader.BYTES);
                result.r2 = (int) ahead.provenEnd();
            }
        }

        /** Answers. */
        @Actor
        public void helper() {
            ahead.serve();
        }
    }

    /** Broken twin: says that it is done, and then does it. Must be found out. */
    @JCStressTest
    @JCStressMeta(QuestionAndAnswer.class)
    @State
    public static class BrokenAnswer {
        private volatile boolean filled;
        private int word;
        private int provenEnd;

        /** Takes the answer. */
        @Actor
        public void reader(II_Result result) {
            if (filled) {
                result.r2 = provenEnd;
                result.r1 = word;
                if (result.r1 == 0) {
                    result.r1 = -1;
                }
            }
        }

        /** Answers. */
        @Actor
        public void helper() {
            filled = true;
            Thread.onSpinWait();
            word = WORD;
            provenEnd = SegmentHeader.BYTES + RUN_BYTES;
        }
    }

    private static SegmentIndex index() {
        ByteBuffer run = ByteBuffer.allocate(RUN_BYTES);
        fill(run);
        CRC32C crc = new CRC32C();
        crc.update(run.flip());
        SegmentIndex index = new SegmentIndex();
        index.add(SegmentHeader.BYTES, 1, 1, 0, 0);
        long end = SegmentHeader.BYTES + RUN_BYTES;
        index.end(new SegmentIndex.End(end, end, 2, 0, -1, 1, 0), (int) crc.getValue());
        return index;
    }

    private static void fill(ByteBuffer target) {
        while (target.hasRemaining()) {
            target.put((byte) BYTE);
        }
    }

    /** A file of one byte, again and again. */
    private static final class Sevens implements StorageFile {
        @Override
        public String name() {
            return "sevens";
        }

        @Override
        public long size() {
            return Long.MAX_VALUE;
        }

        @Override
        public int read(ByteBuffer target, long position) {
            int count = target.remaining();
            fill(target);
            return count;
        }

        @Override
        public int write(ByteBuffer source, long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void force() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void truncate(long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
