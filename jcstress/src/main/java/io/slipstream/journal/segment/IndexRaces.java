package io.slipstream.journal.segment;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The index of the segment that is being written, and who looks a place up in it. It stands in this package to reach
 * it.
 */
public final class IndexRaces {
    private IndexRaces() {}

    /** An entry is found as a whole or not at all, also while the index grows. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "16, 160", "17, 170"},
            expect = Expect.ACCEPTABLE,
            desc = "as a whole, or not yet")
    @Outcome(expect = Expect.FORBIDDEN, desc = "half an entry, or none where there was one")
    @State
    public static class LookedUp {
        private final SegmentIndex index = new SegmentIndex();

        /** Fills what there is room for, so that the second addition of the owner makes the index grow. */
        public LookedUp() {
            for (int i = 1; i < 16; i++) {
                index.add(i * 10L, i, 1, i, 0);
            }
        }

        /** Adds two entries. */
        @Actor
        public void owner() {
            index.add(160, 16, 1, 16, 0);
            index.add(170, 17, 1, 17, 0);
        }

        /** Looks for the last one. */
        @Actor
        public void reader(II_Result result) {
            SegmentIndex.Entry entry = index.floorOfSequence(17);
            if (entry == null) {
                result.r1 = -1;
            } else if (entry.sequence() > 15) {
                result.r1 = (int) entry.sequence();
                result.r2 = (int) entry.offset();
            }
        }
    }

    /** Broken twin: counts an entry before it is there. Must be found out. */
    @JCStressTest
    @JCStressMeta(LookedUp.class)
    @State
    public static class BrokenIndex {
        private final long[] entries = new long[2];
        private volatile int count;

        /** Adds an entry. */
        @Actor
        public void owner() {
            count = 1;
            Thread.onSpinWait();
            entries[0] = 160;
            entries[1] = 16;
        }

        /** Looks for it. */
        @Actor
        public void reader(II_Result result) {
            if (count == 1) {
                result.r1 = (int) entries[1];
                result.r2 = (int) entries[0];
                if (result.r1 == 0) {
                    result.r1 = -1;
                }
            }
        }
    }
}
