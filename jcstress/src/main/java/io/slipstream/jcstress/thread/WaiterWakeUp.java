package io.slipstream.jcstress.thread;

import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.core.thread.Waiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The same for a loop with a waiter: between the round that arms and the one that sleeps the loop itself looks again.
 */
public final class WaiterWakeUp {
    private WaiterWakeUp() {}

    /** Thrown where a thread would fall asleep, with its signal armed, never to wake up by itself. */
    private static final class Asleep extends RuntimeException {
        private static final long serialVersionUID = 1;
        private static final Asleep INSTANCE = new Asleep();

        private Asleep() {
            super("asleep", null, false, false);
        }
    }

    private static final class Woken extends Signal {
        private boolean woken;

        @Override
        protected void interruptSleep(Thread thread) {
            woken = true;
        }

        @Override
        protected void await(long nanos) {
            throw Asleep.INSTANCE;
        }
    }

    private static Waiter waiter(Signal signal) {
        return new WaitStrategy(0, 0, 1, 1, true).newWaiter(signal);
    }

    /** The waiter as a worker uses it. */
    @JCStressTest
    @JCStressMeta(SignalWakeUp.class)
    @State
    public static class LooksAgain {
        private final Woken signal = new Woken();
        private final Waiter waiter = waiter(signal);
        private int work;

        /** Goes idle until there is work, or it falls asleep; plain reads, because the waiter has to give the order. */
        @Actor
        public void worker(ZZ_Result result) {
            try {
                while (work == 0) {
                    waiter.idle(0);
                }
                result.r1 = true;
            } catch (Asleep e) {
                result.r1 = false;
            }
        }

        /** Publishes and wakes. */
        @Actor
        public void waker(ZZ_Result result) {
            work = 1;
            signal.wake();
            result.r2 = signal.woken;
        }
    }

    /** Broken twin: looks first, then arms and sleeps. Must be found out. */
    @JCStressTest
    @JCStressMeta(SignalWakeUp.class)
    @State
    public static class BrokenSecondLook {
        private final Woken signal = new Woken();
        private int work;

        /** Looks, and then goes to sleep. */
        @Actor
        public void worker(ZZ_Result result) {
            try {
                if (work == 0) {
                    Thread.onSpinWait();
                    signal.arm();
                    signal.sleep(1);
                }
                result.r1 = true;
            } catch (Asleep e) {
                result.r1 = false;
            }
        }

        /** Publishes and wakes. */
        @Actor
        public void waker(ZZ_Result result) {
            work = 1;
            signal.wake();
            result.r2 = signal.woken;
        }
    }
}
