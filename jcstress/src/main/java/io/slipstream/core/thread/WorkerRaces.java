package io.slipstream.core.thread;

import java.util.ArrayList;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A worker beside those who end it and those who watch it. It stands in the package of the worker to reach its parts.
 */
public final class WorkerRaces {
    private static final WaitStrategy PARKING =
            new WaitStrategy(0, 0, WaitStrategy.UNTIL_WOKEN_NANOS, WaitStrategy.UNTIL_WOKEN_NANOS, true);

    private static final int TURNS = 20;

    private WorkerRaces() {}

    /** Thrown where a thread would fall asleep, and where a duty fails. */
    private static final class Thrown extends RuntimeException {
        private static final long serialVersionUID = 1;
        private static final Thrown INSTANCE = new Thrown();

        private Thrown() {
            super("thrown", null, false, false);
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
            throw Thrown.INSTANCE;
        }
    }

    /** A worker that has nothing to do is ended while it goes to sleep. Its loop runs on the actor's thread. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "true, true"},
            expect = Expect.ACCEPTABLE,
            desc = "it saw that it was to end")
    @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "it was woken")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a worker that sleeps for ever, and so does who closes it")
    @State
    public static class EndBesideSleep {
        final Woken signal = new Woken();
        final Worker worker;
        private final List<Runnable> loop = new ArrayList<>();

        /** A worker whose thread never starts. */
        public EndBesideSleep() {
            worker = Worker.builder("worker", List.of(() -> 0))
                    .waitStrategy(PARKING)
                    .signal(signal)
                    .threadFactory(task -> {
                        loop.add(task);
                        return new Thread(task);
                    })
                    .build();
        }

        /** Works until it is to end, or falls asleep, which fails it. */
        @Actor
        public void worker(ZZ_Result result) {
            loop.getFirst().run();
            result.r1 = worker.failure() == null;
        }

        /** Ends it. */
        @Actor
        public void owner(ZZ_Result result) {
            worker.stop();
            result.r2 = signal.woken;
        }
    }

    /** Broken twin: wakes the worker before it tells it to end. Must be found out. */
    @JCStressTest
    @JCStressMeta(EndBesideSleep.class)
    @State
    public static class BrokenEndOfWorker extends EndBesideSleep {
        /** Works until it is to end, or falls asleep. */
        @Override
        @Actor
        public void worker(ZZ_Result result) {
            super.worker(result);
        }

        /** Ends it. */
        @Override
        @Actor
        public void owner(ZZ_Result result) {
            signal.wake();
            Thread.onSpinWait();
            worker.endAfterRound();
            result.r2 = signal.woken;
        }
    }

    /** A duty fails while somebody looks: a failure that is counted is there. */
    @JCStressTest
    @Outcome(
            id = {"false, false", "false, true", "true, true"},
            expect = Expect.ACCEPTABLE,
            desc = "there before it is counted")
    @Outcome(expect = Expect.FORBIDDEN, desc = "counted, and not there")
    @State
    public static class FailureBesideLook {
        final DutyCycle cycle = new DutyCycle(
                List.of(() -> {
                    throw Thrown.INSTANCE;
                }),
                DutyPolicy.STOP_ALL,
                _ -> {});

        /** One duty, which was started. */
        public FailureBesideLook() {
            cycle.start();
        }

        /** Fails. */
        @Actor
        public void worker() {
            cycle.round();
        }

        /** Looks until it is counted, for a moment. */
        @Actor
        public void watcher(ZZ_Result result) {
            for (int turn = 0; turn < TURNS && !result.r1; turn++) {
                DutyStats stats = cycle.stats();
                result.r1 = stats.failures() == 1;
                result.r2 = stats.lastFailure() != null;
            }
        }
    }

    /** Broken twin: reads the failure before it reads their number. Must be found out. */
    @JCStressTest
    @JCStressMeta(FailureBesideLook.class)
    @State
    public static class BrokenLook extends FailureBesideLook {
        /** Fails. */
        @Override
        @Actor
        public void worker() {
            super.worker();
        }

        /** Looks until it is counted, for a moment. */
        @Override
        @Actor
        public void watcher(ZZ_Result result) {
            for (int turn = 0; turn < TURNS && !result.r1; turn++) {
                result.r2 = cycle.lastFailure != null;
                Thread.onSpinWait();
                result.r1 = cycle.stats().failures() == 1;
            }
        }
    }
}
