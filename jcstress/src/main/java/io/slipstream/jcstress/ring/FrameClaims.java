package io.slipstream.jcstress.ring;

import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.thread.WaitStrategy;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two publishers never get the same bytes, and what does not fit is refused. */
@Outcome(
        id = {"0, 32, -1", "32, 0, -1"},
        expect = Expect.ACCEPTABLE,
        desc = "each has its own half, and there is no more")
@Outcome(expect = Expect.FORBIDDEN, desc = "the same bytes twice, or beyond the room")
public final class FrameClaims {
    private static final int CAPACITY = 64;
    private static final int HALF_A_RING = 24;
    private static final int SHORT = 8;

    private FrameClaims() {}

    /** Each claims half of the ring. */
    @JCStressTest
    @JCStressMeta(FrameClaims.class)
    @State
    public static class OfHalves {
        private final FrameRing ring = FrameRing.forManyPublishers(CAPACITY, WaitStrategy.yielding());

        /** Makes the ring one that fills. */
        public OfHalves() {
            ring.newPoller();
        }

        /** Claims. */
        @Actor
        public void first(III_Result result) {
            result.r1 = (int) ring.tryClaim(HALF_A_RING);
        }

        /** Claims. */
        @Actor
        public void second(III_Result result) {
            result.r2 = (int) ring.tryClaim(HALF_A_RING);
        }

        /** Claims once more, finds no room, and gives the memory back. */
        @Arbiter
        public void third(III_Result result) {
            result.r3 = (int) ring.tryClaim(0);
            ring.close();
        }
    }

    /** Sixteen bytes before the end of the memory: a short frame fits there, and a long one leaves padding. */
    @JCStressTest
    @Outcome(id = "64, 48, 96", expect = Expect.ACCEPTABLE, desc = "the short one came first")
    @Outcome(id = "64, 96, -1", expect = Expect.ACCEPTABLE, desc = "the long one came first, behind its padding")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the same bytes twice, or a frame in two pieces")
    @State
    public static class BesidePadding {
        private final FrameRing ring = FrameRing.forManyPublishers(CAPACITY, WaitStrategy.yielding());

        /** Goes to the place before the end, with a whole lap of room. */
        public BesidePadding() {
            for (int i = 0; i < 3; i++) {
                ring.publish(ring.claim(SHORT));
            }
            ring.newPoller();
        }

        /** Claims a long frame. */
        @Actor
        public void first(III_Result result) {
            result.r1 = (int) ring.tryClaim(HALF_A_RING);
        }

        /** Claims a short frame. */
        @Actor
        public void second(III_Result result) {
            result.r2 = (int) ring.tryClaim(SHORT);
        }

        /** Claims once more, and gives the memory back. */
        @Arbiter
        public void third(III_Result result) {
            result.r3 = (int) ring.tryClaim(SHORT);
            ring.close();
        }
    }

    /** Broken twin: a read and a write instead of a compare-and-set. Must be found out. */
    @JCStressTest
    @JCStressMeta(FrameClaims.class)
    @State
    public static class BrokenFrameClaims {
        private volatile int tail;

        private int claim() {
            int mine = tail;
            if (mine + CAPACITY / 2 > CAPACITY) {
                return -1;
            }
            tail = mine + CAPACITY / 2;
            return mine;
        }

        /** Claims. */
        @Actor
        public void first(III_Result result) {
            result.r1 = claim();
        }

        /** Claims. */
        @Actor
        public void second(III_Result result) {
            result.r2 = claim();
        }

        /** Claims once more. */
        @Arbiter
        public void third(III_Result result) {
            result.r3 = claim();
        }
    }
}
