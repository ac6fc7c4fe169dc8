package io.slipstream.core.executor;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The races of delayed tasks. They stand in the package of the executor to reach its parts. */
public final class TimerRaces {
    private static final Runnable TASK = () -> {};

    /** Timers tell their executor of what is due; this one has no thread any more that could hear of it. */
    private static final LockFreeExecutor ENDED = ended();

    private TimerRaces() {}

    private static LockFreeExecutor ended() {
        LockFreeExecutor executor = LockFreeExecutor.builder().build();
        executor.close();
        return executor;
    }

    private static Timers timers() {
        return new Timers(ENDED, Thread::new, 4, 4);
    }

    private static ScheduledTask<?> task(Timers timers, long deadlineNanos) {
        return new ScheduledTask<>(timers, Executors.callable(TASK), deadlineNanos, 0);
    }

    /** Two threads change the wheel at once: the one that finds it taken leaves its request to the other. */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "both are in the wheel")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a timer was forgotten")
    @State
    public static class TwoTimers {
        private final CombiningWheel wheel;
        private final Timers timers = timers();
        private final ScheduledTask<?> one = task(timers, 1L << 40);
        private final ScheduledTask<?> other = task(timers, 1L << 40);

        /** An empty wheel. */
        public TwoTimers() {
            this(new CombiningWheel(deadline -> {}));
        }

        TwoTimers(CombiningWheel wheel) {
            this.wheel = wheel;
        }

        /** Adds one. */
        @Actor
        public void first() {
            wheel.request(one);
        }

        /** Adds the other. */
        @Actor
        public void second() {
            wheel.request(other);
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
    public static class BrokenTimers extends TwoTimers {
        /** An empty wheel. */
        public BrokenTimers() {
            super(new CombiningWheel(deadline -> {}) {
                @Override
                void release() {
                    letGo();
                }
            });
        }

        /** Adds one. */
        @Override
        @Actor
        public void first() {
            super.first();
        }

        /** Adds the other. */
        @Override
        @Actor
        public void second() {
            super.second();
        }

        /** Looks where they are. */
        @Override
        @Arbiter
        public void rest(ZZ_Result result) {
            super.rest(result);
        }
    }

    /** A task is left to the thread that attends, just when that thread stops attending and looks for the last time. */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "it is in the wheel, with a deadline")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a timer was forgotten")
    @State
    @SuppressWarnings("NullAway")
    public static class EndOfAttention {
        private final Timers timers = new Timers(null, "proof", 2);
        private final ScheduledTask<?> task =
                new ScheduledTask<>(timers, Executors.callable(TASK), ScheduledTask.unstamped(1L << 40), 0);

        /** Attends. */
        public EndOfAttention() {
            timers.wheel.attendFromNowOn();
        }

        /** Adds a task. */
        @Actor
        public void submitter() {
            timers.wheel.add(task);
        }

        /** Stops attending since there was no burst, and looks. */
        @Actor
        public void thread() {
            timers.wheel.attend();
            timers.wheel.answer();
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
        private final Timers timers = new Timers(null, "proof", 2);
        private final ScheduledTask<?> task =
                new ScheduledTask<>(timers, Executors.callable(TASK), ScheduledTask.unstamped(1L << 40), 0);

        /** Attends. */
        public BrokenAttention() {
            timers.wheel.attendFromNowOn();
        }

        /** Adds a task. */
        @Actor
        public void submitter() {
            timers.wheel.add(task);
        }

        /** Stops attending since there was no burst. */
        @Actor
        public void thread() {
            timers.wheel.attend();
        }

        /** Looks where it is. */
        @Arbiter
        public void rest(ZZ_Result result) {
            result.r1 = task.slot >= 0;
            result.r2 = task.isStamped();
        }
    }

    /** A task is added just when all are taken back: it is handed back or cancelled, and never stays. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true"},
            expect = Expect.ACCEPTABLE,
            desc = "cancelled, or handed back")
    @Outcome(
            expect = Expect.FORBIDDEN,
            desc = "it keeps the executor alive until it is due, or is handed back cancelled")
    @State
    public static class AdditionBesideStop {
        private final Timers timers;
        private final ScheduledTask<?> task;
        private final List<Runnable> handedBack = new ArrayList<>();

        /** No task yet. */
        public AdditionBesideStop() {
            this(timers());
        }

        AdditionBesideStop(Timers timers) {
            this.timers = timers;
            this.task = task(timers, 1L << 40);
        }

        /** Adds one that was admitted before. */
        @Actor
        public void submitter() {
            timers.enter(task);
        }

        /** Stops. */
        @Actor
        public void closer() {
            timers.close();
            timers.withdrawAll(handedBack);
        }

        /** Looks what became of it. */
        @Arbiter
        public void rest(ZZ_Result result) {
            result.r1 = task.isCancelled();
            result.r2 = handedBack.contains(task);
        }
    }

    /** Broken twin: only periodic tasks look whether they came too late. Must be found out. */
    @JCStressTest
    @JCStressMeta(AdditionBesideStop.class)
    @State
    public static class BrokenAddition extends AdditionBesideStop {
        /** No task yet. */
        public BrokenAddition() {
            super(new Timers(ENDED, Thread::new, 4, 4) {
                @Override
                void leaveIfClosed(ScheduledTask<?> task) {
                    if (isClosed() && task.isPeriodic()) {
                        task.cancel(false);
                    }
                }
            });
        }

        /** Adds one. */
        @Override
        @Actor
        public void submitter() {
            super.submitter();
        }

        /** Stops. */
        @Override
        @Actor
        public void closer() {
            super.closer();
        }

        /** Looks what became of it. */
        @Override
        @Arbiter
        public void rest(ZZ_Result result) {
            super.rest(result);
        }
    }

    /** The thread hands over what is due just when all are taken back: none is missed. */
    @JCStressTest
    @Outcome(id = "3, 0", expect = Expect.ACCEPTABLE, desc = "all were handed back, and none will run")
    @Outcome(expect = Expect.FORBIDDEN, desc = "one runs after the stop")
    @State
    public static class RoundBesideStop {
        private final Timers timers;
        private final List<Runnable> handedBack = new ArrayList<>();

        /** Three are due. */
        public RoundBesideStop() {
            this(timers());
        }

        RoundBesideStop(Timers timers) {
            this.timers = timers;
            for (int i = 0; i < 3; i++) {
                timers.enter(task(timers, 0));
            }
        }

        /** Hands over. */
        @Actor
        public void thread() {
            timers.round();
        }

        /** Stops. */
        @Actor
        public void closer() {
            timers.close();
            timers.withdrawAll(handedBack);
        }

        /** Looks where they are. */
        @Arbiter
        public void rest(II_Result result) {
            result.r1 = handedBack.size();
            result.r2 = timers.dueCount();
        }
    }

    /** Broken twin: keeps what it has reached to itself until it is handed over. Must be found out. */
    @JCStressTest
    @JCStressMeta(RoundBesideStop.class)
    @State
    public static class BrokenRound extends RoundBesideStop {
        /** Three are due. */
        public BrokenRound() {
            super(new Timers(ENDED, Thread::new, 4, 4) {
                @Override
                boolean round() {
                    List<ScheduledTask<?>> mine = new ArrayList<>();
                    wheel.take();
                    wheel.tasks.advance(wheel.now(), mine);
                    wheel.giveUp();
                    mine.forEach(this::offer);
                    return false;
                }
            });
        }

        /** Hands over. */
        @Override
        @Actor
        public void thread() {
            super.thread();
        }

        /** Stops. */
        @Override
        @Actor
        public void closer() {
            super.closer();
        }

        /** Looks where they are. */
        @Override
        @Arbiter
        public void rest(II_Result result) {
            super.rest(result);
        }
    }
}
