package io.slipstream.core.executor;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** The races of delayed tasks. They stand in the package of the executor to reach its parts. */
public final class TimerRaces {
    private static final Runnable TASK = () -> { };

    private TimerRaces() {
    }

    /** Two threads change the wheel at once: the one that finds it taken leaves its request to the other. */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "both are in the wheel")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a timer was forgotten")
    @State
    @SuppressWarnings("NullAway")
    public static class TwoTimers {
        private final Timers timers = new Timers(null, "proof", true, 2);
        private final ScheduledTask<?> one = new ScheduledTask<>(timers, Executors.callable(TASK), 1L << 40, 0);
        private final ScheduledTask<?> other = new ScheduledTask<>(timers, Executors.callable(TASK), 1L << 40, 0);

        /** Adds one. */
        @Actor
        public void first() {
            timers.request(one);
        }

        /** Adds the other. */
        @Actor
        public void second() {
            timers.request(other);
        }

        /** Looks where they are. */
        @Arbiter
        public void rest(ZZ_Result result) {
            result.r1 = one.slot >= 0;
            result.r2 = other.slot >= 0;
        }
    }

    /** Broken twin: who has had the wheel does not look again after giving it up. Must be found out. */
    @JCStressTest
    @JCStressMeta(TwoTimers.class)
    @State
    @SuppressWarnings("NullAway")
    public static class BrokenTimers {
        private final Timers timers = new Timers(null, "proof", true, 2);
        private final ScheduledTask<?> one = new ScheduledTask<>(timers, Executors.callable(TASK), 1L << 40, 0);
        private final ScheduledTask<?> other = new ScheduledTask<>(timers, Executors.callable(TASK), 1L << 40, 0);
        private final AtomicBoolean taken = new AtomicBoolean();
        private final AtomicReference<ScheduledTask<?>> left = new AtomicReference<>();

        private void request(ScheduledTask<?> task) {
            if (taken.compareAndSet(false, true)) {
                timers.wheel.reconcile(task);
                ScheduledTask<?> request = left.getAndSet(null);
                if (request != null) {
                    timers.wheel.reconcile(request);
                }
                taken.set(false);
            } else {
                left.set(task);
            }
        }

        /** Adds one. */
        @Actor
        public void first() {
            request(one);
        }

        /** Adds the other. */
        @Actor
        public void second() {
            request(other);
        }

        /** Looks where they are. */
        @Arbiter
        public void rest(ZZ_Result result) {
            result.r1 = one.slot >= 0;
            result.r2 = other.slot >= 0;
        }
    }

    /** A task is left to the thread that attends, just when that thread stops attending and looks for the last time. */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "it is in the wheel, with a deadline")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a timer was forgotten")
    @State
    @SuppressWarnings("NullAway")
    public static class EndOfAttention {
        private final Timers timers = new Timers(null, "proof", true, 2);
        private final ScheduledTask<?> task =
                new ScheduledTask<>(timers, Executors.callable(TASK), ScheduledTask.unstamped(1L << 40), 0);

        /** Attends. */
        public EndOfAttention() {
            timers.attendFromNowOn();
        }

        /** Adds a task. */
        @Actor
        public void submitter() {
            timers.add(task);
        }

        /** Stops attending since there was no burst, and looks. */
        @Actor
        public void thread() {
            timers.attend();
            timers.answer();
        }

        /** Looks where it is. */
        @Arbiter
        public void rest(ZZ_Result result) {
            result.r1 = task.slot >= 0;
            result.r2 = task.isStamped();
        }
    }

    /** Broken twin: the thread stops attending, and does not look for the last time. Must be found out. */
    @JCStressTest
    @JCStressMeta(EndOfAttention.class)
    @State
    @SuppressWarnings("NullAway")
    public static class BrokenAttention {
        private final Timers timers = new Timers(null, "proof", true, 2);
        private final ScheduledTask<?> task =
                new ScheduledTask<>(timers, Executors.callable(TASK), ScheduledTask.unstamped(1L << 40), 0);

        /** Attends. */
        public BrokenAttention() {
            timers.attendFromNowOn();
        }

        /** Adds a task. */
        @Actor
        public void submitter() {
            timers.add(task);
        }

        /** Stops attending since there was no burst. */
        @Actor
        public void thread() {
            timers.attend();
        }

        /** Looks where it is. */
        @Arbiter
        public void rest(ZZ_Result result) {
            result.r1 = task.slot >= 0;
            result.r2 = task.isStamped();
        }
    }
}
