package io.slipstream.ipc;

import io.slipstream.core.memory.Region;
import io.slipstream.ipc.file.Layout;
import io.slipstream.ipc.slot.Limit;
import io.slipstream.ipc.slot.Positions;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A subscriber that joins at the oldest position, while a publisher raises the limit over it: what it begins with is
 * kept for it.
 */
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "the subscriber begins with what is kept")
@Outcome(expect = Expect.FORBIDDEN, desc = "the publisher may overwrite what the subscriber begins with")
public final class JoinRaces {
    private static final int CAPACITY = 4096;
    private static final int SLOT = 1;

    private JoinRaces() {}

    private static Region full() {
        Region region = Region.allocate(Layout.SLOTS_OFFSET + 4L * Layout.SLOT_BYTES);
        region.putLong(Layout.LIMIT_AT, CAPACITY);
        region.putLong(Layout.ANNOUNCED_AT, CAPACITY);
        return region;
    }

    private static Limit limit(Region region) {
        return new Limit(region, new Positions(region, 4), CAPACITY);
    }

    private static int join(Region region, boolean fenced) {
        Limit limit = limit(region);
        if (fenced) {
            region.putLongVolatile(Layout.slot(SLOT) + Layout.STATE_AT, PartyKind.SUBSCRIBER.code());
            VarHandle.fullFence();
        } else {
            region.putLongRelease(Layout.slot(SLOT) + Layout.STATE_AT, PartyKind.SUBSCRIBER.code());
        }
        long begin = Math.max(0, limit.oldestAnnounced());
        region.putLongRelease(Layout.slot(SLOT) + Layout.POSITION_AT, begin);
        return (int) begin;
    }

    /** As it is. */
    @JCStressTest
    @JCStressMeta(JoinRaces.class)
    @State
    public static class TwoLooks {
        private final Region region = full();
        private int begin;

        /** Wants to overwrite the oldest bytes. */
        @Actor
        public void publisher() {
            limit(region).raise(CAPACITY + 64);
        }

        /** Joins. */
        @Actor
        public void subscriber() {
            begin = join(region, true);
        }

        /** Compares, and gives the memory back. */
        @Arbiter
        public void end(I_Result result) {
            result.r1 = limit(region).oldestKept() > begin ? 1 : 0;
            region.close();
        }
    }

    /** Broken twin: the publisher looks at the slots once, and then raises the limit. Must be found out. */
    @JCStressTest
    @JCStressMeta(JoinRaces.class)
    @State
    public static class BrokenLook {
        private final Region region = full();
        private int begin;

        /** Wants to overwrite the oldest bytes. */
        @Actor
        public void publisher() {
            if (new Positions(region, 4).slowest() == Long.MAX_VALUE) {
                region.putLongVolatile(Layout.ANNOUNCED_AT, CAPACITY + 64);
                region.putLongVolatile(Layout.LIMIT_AT, CAPACITY + 64);
            }
        }

        /** Joins. */
        @Actor
        public void subscriber() {
            begin = join(region, false);
        }

        /** Compares, and gives the memory back. */
        @Arbiter
        public void end(I_Result result) {
            result.r1 = limit(region).oldestKept() > begin ? 1 : 0;
            region.close();
        }
    }
}
