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
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two processes repair the hole of a dead publisher, the second so late that the lap is over and the room claimed anew
 * by a living one: its claim stays.
 */
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the new claim is as its owner left it")
@Outcome(expect = Expect.FORBIDDEN, desc = "a late repair took the claim of a living publisher away")
public final class RepairRaces {
    private static final Layout LAYOUT = Layout.of(4096, true, 4, false, 0, 0);
    private static final int BYTES = 2048;
    private static final int DEAD = 1;
    private static final int LIVING = 2;

    private RepairRaces() {}

    /** A ring whose first half is claimed by the dead one, and whose second is published. */
    private static Region holed() {
        Region region = Region.allocate(LAYOUT.fileBytes());
        ManyFrames ring = new ManyFrames(region, LAYOUT);
        claim(ring, DEAD);
        ring.finish(claim(ring, LIVING), Stamp.PUBLISHED);
        return region;
    }

    private static long claim(ManyFrames ring, int owner) {
        long position;
        do {
            position = ring.attempt(BYTES, owner, Layout.slot(owner) + Layout.POSITION_AT, _ -> true);
        } while (position == ManyFrames.AGAIN);
        return position;
    }

    private static int phase(ManyFrames ring) {
        long position = LAYOUT.capacity();
        long stamp = ring.stamp(position);
        return Stamp.isOf(stamp, ring.lap(position)) && Stamp.owner(stamp) == LIVING ? Stamp.phase(stamp) : -1;
    }

    /** As it is: a stamp is replaced only if it is still that of the dead one. */
    @JCStressTest
    @JCStressMeta(RepairRaces.class)
    @State
    public static class LateRepair {
        private final Region region = holed();
        private final ManyFrames one = new ManyFrames(region, LAYOUT);
        private final ManyFrames two = new ManyFrames(region, LAYOUT);

        /** Repairs, and claims the same room in the next lap. */
        @Actor
        public void first(II_Result result) {
            one.repair(DEAD, 0);
            claim(one, LIVING);
            result.r1 = 1;
        }

        /** Repairs as well, whenever it comes to it. */
        @Actor
        public void second() {
            two.repair(DEAD, 0);
        }

        /** Looks what became of the claim, and gives the memory back. */
        @Arbiter
        public void end(II_Result result) {
            result.r2 = phase(one);
            region.close();
        }
    }

    /** Broken twin: looks whose claim it is, and marks it in a second step. Must be found out. */
    @JCStressTest
    @JCStressMeta(RepairRaces.class)
    @State
    public static class BrokenRepair {
        private final Region region = holed();
        private final ManyFrames one = new ManyFrames(region, LAYOUT);
        private final ManyFrames two = new ManyFrames(region, LAYOUT);

        /** Repairs, and claims the same room in the next lap. */
        @Actor
        public void first(II_Result result) {
            one.repair(DEAD, 0);
            claim(one, LIVING);
            result.r1 = 1;
        }

        /** Repairs as well, in two steps. */
        @Actor
        public void second() {
            if (two.claimOwner(0) == DEAD) {
                for (int i = 0; i < 20; i++) {
                    Thread.onSpinWait();
                }
                region.putLongRelease(two.stampAt(0), Stamp.with(two.stamp(0), Stamp.SKIPPED));
            }
        }

        /** Looks what became of the claim, and gives the memory back. */
        @Arbiter
        public void end(II_Result result) {
            result.r2 = phase(one);
            region.close();
        }
    }
}
