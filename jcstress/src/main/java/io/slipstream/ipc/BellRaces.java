package io.slipstream.ipc;

import io.slipstream.core.memory.Region;
import io.slipstream.ipc.file.Layout;
import io.slipstream.ipc.sleep.Bell;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A reader goes to sleep while a message is published: it sees the message, or it is woken. */
@Outcome(
        id = {"0, 1", "1, 0", "1, 1"},
        expect = Expect.ACCEPTABLE,
        desc = "seen, woken, or both")
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "the reader sleeps, and nobody wakes it")
public final class BellRaces {
    private static final int PARTIES = 4;
    private static final int SLOT = 1;
    private static final long MESSAGE = Layout.TAIL_AT;
    private static final long ARMED = Layout.slot(SLOT) + Layout.ARMED_AT;

    private BellRaces() {}

    private static Region sleepy() {
        Region region = Region.allocate(Layout.SLOTS_OFFSET + (long) PARTIES * Layout.SLOT_BYTES);
        region.putLong(Layout.SLEEPERS_AT, 1L << SLOT);
        return region;
    }

    /** With the fences of {@link IpcReader#arm} and of the bell. */
    @JCStressTest
    @JCStressMeta(BellRaces.class)
    @State
    public static class Fenced {
        private final Region region = sleepy();
        private int woken;
        private final Bell bell = new Bell(region, PARTIES, null, () -> woken = 1);

        /** Arms, and looks once more. */
        @Actor
        public void reader(II_Result result) {
            region.putLongOpaque(ARMED, 1);
            VarHandle.fullFence();
            result.r1 = (int) region.getLongAcquire(MESSAGE);
        }

        /** Publishes, and rings. */
        @Actor
        public void publisher() {
            region.putLongRelease(MESSAGE, 1);
            bell.ring();
        }

        /** Tells whether the reader was woken, and gives the memory back. */
        @Arbiter
        public void end(II_Result result) {
            result.r2 = woken;
            region.close();
        }
    }

    /** Broken twin: the reader looks before others can see that it is armed. Must be found out. */
    @JCStressTest
    @JCStressMeta(BellRaces.class)
    @State
    public static class BrokenFence {
        private final Region region = sleepy();
        private int woken;
        private final Bell bell = new Bell(region, PARTIES, null, () -> woken = 1);

        /** Arms without a fence, and looks once more. */
        @Actor
        public void reader(II_Result result) {
            region.putLongOpaque(ARMED, 1);
            result.r1 = (int) region.getLongAcquire(MESSAGE);
        }

        /** Publishes, and rings. */
        @Actor
        public void publisher() {
            region.putLongRelease(MESSAGE, 1);
            bell.ring();
        }

        /** Tells whether the reader was woken, and gives the memory back. */
        @Arbiter
        public void end(II_Result result) {
            result.r2 = woken;
            region.close();
        }
    }
}
