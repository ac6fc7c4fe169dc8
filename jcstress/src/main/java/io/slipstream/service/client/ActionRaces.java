package io.slipstream.service.client;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** What a thread of clients has taken is carried out, also if it ends at that moment. */
public final class ActionRaces {
    private ActionRaces() {}

    /** Somebody adds an action while the thread ends. */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "taken and carried out")
    @Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "refused")
    @Outcome(expect = Expect.FORBIDDEN, desc = "taken and lost, or refused and carried out")
    @State
    public static class Ending {
        private final Actions actions = new Actions();
        private boolean taken;
        private boolean done;

        /** Anybody. */
        @Actor
        public void anybody() {
            try {
                actions.add(() -> done = true);
                taken = true;
            } catch (RejectedExecutionException e) {
                // It is not taken.
            }
        }

        /** The thread. */
        @Actor
        public void thread() {
            actions.end();
        }

        /** Afterwards. */
        @Arbiter
        public void afterwards(ZZ_Result result) {
            result.r1 = taken;
            result.r2 = done;
        }
    }

    /** Broken twin: looks whether the thread has ended before it adds the action. Must be found out. */
    @JCStressTest
    @JCStressMeta(Ending.class)
    @State
    public static class BrokenLook {
        private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
        private volatile boolean ended;
        private boolean taken;
        private boolean done;

        /** Anybody. */
        @Actor
        public void anybody() {
            if (!ended) {
                waiting.add(() -> done = true);
                taken = true;
            }
        }

        /** The thread. */
        @Actor
        public void thread() {
            ended = true;
            for (Runnable next; (next = waiting.poll()) != null; ) {
                next.run();
            }
        }

        /** Afterwards. */
        @Arbiter
        public void afterwards(ZZ_Result result) {
            result.r1 = taken;
            result.r2 = done;
        }
    }
}
