package io.slipstream.ipc;

import io.slipstream.core.memory.Region;
import io.slipstream.ipc.file.Layout;
import io.slipstream.ipc.frame.ManyFrames;
import io.slipstream.ipc.frame.Stamp;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two publishers of a channel claim different room side by side, in a lap in which old stamps lie everywhere. */
@Outcome(
        id = {"4096, 4128, 4160", "4128, 4096, 4160"},
        expect = Expect.ACCEPTABLE,
        desc = "side by side, and the tail behind both")
@Outcome(expect = Expect.FORBIDDEN, desc = "the same room, or a gap")
public final class ClaimRaces {
    private static final Layout LAYOUT = Layout.of(4096, true, 4, false, 0, 0);
    private static final int BYTES = 32;

    private ClaimRaces() {}

    private static Region used() {
        Region region = Region.allocate(LAYOUT.fileBytes());
        ManyFrames ring = new ManyFrames(region, LAYOUT);
        for (int i = 0; i < LAYOUT.capacity() / BYTES; i++) {
            ring.finish(claim(ring, 0), Stamp.PUBLISHED);
        }
        return region;
    }

    private static long claim(ManyFrames ring, int owner) {
        long position;
        do {
            position = ring.attempt(BYTES, owner, Layout.slot(owner) + Layout.POSITION_AT, _ -> true);
        } while (position == ManyFrames.AGAIN);
        return position;
    }

    /** With a ring in each process. */
    @JCStressTest
    @JCStressMeta(ClaimRaces.class)
    @State
    public static class TwoPublishers {
        private final Region region = used();
        private final ManyFrames one = new ManyFrames(region, LAYOUT);
        private final ManyFrames two = new ManyFrames(region, LAYOUT);

        /** Claims. */
        @Actor
        public void first(III_Result result) {
            result.r1 = (int) claim(one, 1);
        }

        /** Claims as well. */
        @Actor
        public void second(III_Result result) {
            result.r2 = (int) claim(two, 2);
        }

        /** Looks at the tail, and gives the memory back. */
        @Arbiter
        public void end(III_Result result) {
            result.r3 = (int) one.tail();
            region.close();
        }
    }

    /** Broken twin: looks at the stamp and writes its own in two steps. Must be found out. */
    @JCStressTest
    @JCStressMeta(ClaimRaces.class)
    @State
    public static class BrokenStamps {
        private final Region region = used();
        private final ManyFrames ring = new ManyFrames(region, LAYOUT);

        private int claimInTwoSteps(int owner) {
            long start = ring.tail();
            if (Stamp.isOf(ring.stamp(start), ring.lap(start))) {
                start += BYTES;
            }
            region.putLongRelease(ring.stampAt(start), Stamp.of(ring.lap(start), BYTES, owner, Stamp.CLAIMED));
            region.compareAndSetLong(Layout.TAIL_AT, start, start + BYTES);
            return (int) start;
        }

        /** Claims. */
        @Actor
        public void first(III_Result result) {
            result.r1 = claimInTwoSteps(1);
        }

        /** Claims as well. */
        @Actor
        public void second(III_Result result) {
            result.r2 = claimInTwoSteps(2);
        }

        /** Looks at the tail, and gives the memory back. */
        @Arbiter
        public void end(III_Result result) {
            result.r3 = (int) ring.tail();
            region.close();
        }
    }
}
