package io.slipstream.core.executor;

import io.slipstream.core.queue.ManyToOneQueue;
import io.slipstream.core.thread.Signal;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The races of submission: falling asleep, shutting down, stealing. They stand in the package of the executor to reach
 * its parts.
 */
public final class ExecutorRaces {
    private static final Runnable TASK = () -> {};

    private ExecutorRaces() {}

    /** A worker goes to rest while a task comes. */
    @JCStressTest
    @Outcome(
            id = {"true, true", "true, false", "false, true"},
            expect = Expect.ACCEPTABLE,
            desc = "one sees the other")
    @Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "a lost wake-up")
    @State
    public static class RestBesideSubmission {
        private final TaskQueue queue = new TaskQueue(2);
        private final IdleSet idle;

        /** Nobody rests. */
        public RestBesideSubmission() {
            this(new IdleSet(new Signal[] {new Signal()}));
        }

        RestBesideSubmission(IdleSet idle) {
            this.idle = idle;
        }

        /** Submits; says whether it saw the worker rest. */
        @Actor
        public void submitter(ZZ_Result result) {
            queue.offer(TASK);
            result.r1 = !idle.isEmpty();
        }

        /** Goes to rest; says whether it saw the task. */
        @Actor
        public void worker(ZZ_Result result) {
            idle.enter(0);
            result.r2 = !queue.isEmpty();
        }
    }

    /** Broken twin: rests by plain writes, which may come after the look for a task. Must be found out. */
    @JCStressTest
    @JCStressMeta(RestBesideSubmission.class)
    @State
    public static class BrokenRestBesideSubmission extends RestBesideSubmission {
        /** Nobody rests. */
        public BrokenRestBesideSubmission() {
            super(new IdleSet(new Signal[] {new Signal()}) {
                @Override
                void enter(int worker) {
                    cells[COUNT]++;
                    cells[flag(worker)] = 1;
                }
            });
        }

        /** Submits. */
        @Override
        @Actor
        public void submitter(ZZ_Result result) {
            super.submitter(result);
        }

        /** Goes to rest. */
        @Override
        @Actor
        public void worker(ZZ_Result result) {
            super.worker(result);
        }
    }

    /** Two wakers and two sleepers: two tasks wake two workers. */
    @JCStressTest
    @Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "both were taken out")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a worker sleeps though there is a task for it")
    @State
    public static class TwoWakers {
        private final IdleSet idle = new IdleSet(new Signal[] {new Signal(), new Signal()});

        /** Both rest. */
        public TwoWakers() {
            idle.enter(0);
            idle.enter(1);
        }

        /** Wakes one. */
        @Actor
        public void first() {
            idle.wakeOne(0);
        }

        /** Wakes one. */
        @Actor
        public void second() {
            idle.wakeOne(0);
        }

        /** Looks who still rests. */
        @Arbiter
        public void rest(ZZ_Result result) {
            result.r1 = idle.contains(0) || !idle.isEmpty();
            result.r2 = idle.contains(1);
        }
    }

    /** Broken twin: looks who rests, and does not care who has taken it out. Must be found out. */
    @JCStressTest
    @JCStressMeta(TwoWakers.class)
    @State
    public static class BrokenTwoWakers {
        private final IdleSet idle = new IdleSet(new Signal[] {new Signal(), new Signal()});

        /** Both rest. */
        public BrokenTwoWakers() {
            idle.enter(0);
            idle.enter(1);
        }

        private void wakeOne() {
            int worker = idle.contains(0) ? 0 : 1;
            Thread.onSpinWait();
            idle.leave(worker);
        }

        /** Wakes one. */
        @Actor
        public void first() {
            wakeOne();
        }

        /** Wakes one. */
        @Actor
        public void second() {
            wakeOne();
        }

        /** Looks who still rests. */
        @Arbiter
        public void rest(ZZ_Result result) {
            result.r1 = idle.contains(0) || !idle.isEmpty();
            result.r2 = idle.contains(1);
        }
    }

    /** A worker goes to rest beside a waker that prefers it, while another one rests. */
    @JCStressTest
    @Outcome(
            id = {"false, true", "true, false", "false, false"},
            expect = Expect.ACCEPTABLE,
            desc = "who rests is counted")
    @Outcome(
            id = "true, true",
            expect = Expect.FORBIDDEN,
            desc = "the next submitter would wake nobody though one rests")
    @State
    public static class EntryBesideWaker {
        private final IdleSet idle;

        /** One rests. */
        public EntryBesideWaker() {
            this(new IdleSet(new Signal[] {new Signal(), new Signal()}));
        }

        EntryBesideWaker(IdleSet idle) {
            this.idle = idle;
            idle.enter(0);
        }

        /** Goes to rest. */
        @Actor
        public void worker() {
            idle.enter(1);
        }

        /** Wakes one; says whether a further submitter would see nobody, and whether the first worker rests. */
        @Actor
        public void submitter(ZZ_Result result) {
            idle.wakeOne(1);
            result.r1 = idle.isEmpty();
            result.r2 = idle.contains(0);
        }
    }

    /** Broken twin: a worker is listed before it is counted. Must be found out. */
    @JCStressTest
    @JCStressMeta(EntryBesideWaker.class)
    @State
    public static class BrokenEntry extends EntryBesideWaker {
        /** One rests. */
        public BrokenEntry() {
            super(new IdleSet(new Signal[] {new Signal(), new Signal()}) {
                @Override
                void enter(int worker) {
                    list(worker);
                    Thread.onSpinWait();
                    count(1L);
                }
            });
        }

        /** Goes to rest. */
        @Override
        @Actor
        public void worker() {
            super.worker();
        }

        /** Wakes one. */
        @Override
        @Actor
        public void submitter(ZZ_Result result) {
            super.submitter(result);
        }
    }

    /** A submission beside a shutdown that takes the waiting tasks back. */
    @JCStressTest
    @Outcome(
            id = {"true, true", "false, false"},
            expect = Expect.ACCEPTABLE,
            desc = "accepted and handed back, or refused")
    @Outcome(expect = Expect.FORBIDDEN, desc = "accepted and lost, or refused and handed back")
    @State
    public static class SubmissionBesideShutdown {
        private final TaskQueue queue = new TaskQueue(2);

        /** Submits. */
        @Actor
        public void submitter(ZZ_Result result) {
            result.r1 = queue.offer(TASK);
        }

        /** Shuts down. */
        @Actor
        public void closer(ZZ_Result result) {
            queue.close();
            result.r2 = queue.poll() != null;
        }
    }

    /** A worker and a thief, or the one who shuts down, take the same task. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true"},
            expect = Expect.ACCEPTABLE,
            desc = "one of them")
    @Outcome(expect = Expect.FORBIDDEN, desc = "run twice or lost")
    @State
    public static class WorkerAndThief {
        private final TaskQueue queue = new TaskQueue(2);

        /** One task. */
        public WorkerAndThief() {
            queue.offer(TASK);
        }

        /** Takes. */
        @Actor
        public void worker(ZZ_Result result) {
            result.r1 = queue.poll() != null;
        }

        /** Takes. */
        @Actor
        public void thief(ZZ_Result result) {
            result.r2 = queue.poll() != null;
        }
    }

    /** Broken twin: takes without the right to. Must be found out. */
    @JCStressTest
    @JCStressMeta(WorkerAndThief.class)
    @State
    public static class BrokenThief {
        private final ManyToOneQueue<Runnable> queue = new ManyToOneQueue<>(2);

        /** One task. */
        public BrokenThief() {
            queue.offer(TASK);
        }

        /** Takes. */
        @Actor
        public void worker(ZZ_Result result) {
            result.r1 = queue.relaxedPoll() != null;
        }

        /** Takes. */
        @Actor
        public void thief(ZZ_Result result) {
            result.r2 = queue.relaxedPoll() != null;
        }
    }

    /** Two submitters and one latency probe: at most one task is measured at a time. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true"},
            expect = Expect.ACCEPTABLE,
            desc = "one of them")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the probe stands for two tasks, or for none")
    @State
    public static class TwoSubmittersOneProbe {
        private final LatencyProbe probe = new LatencyProbe();

        /** Submits. */
        @Actor
        public void first(ZZ_Result result) {
            result.r1 = probe.around(TASK) != TASK;
        }

        /** Submits. */
        @Actor
        public void second(ZZ_Result result) {
            result.r2 = probe.around(TASK) != TASK;
        }
    }

    /** Broken twin: looks whether it is free, and takes it for its own then. Must be found out. */
    @JCStressTest
    @JCStressMeta(TwoSubmittersOneProbe.class)
    @State
    public static class BrokenProbe {
        private final LatencyProbe probe = new LatencyProbe();

        private boolean take() {
            boolean free = probe.isFree();
            Thread.onSpinWait();
            probe.around(TASK);
            return free;
        }

        /** Submits. */
        @Actor
        public void first(ZZ_Result result) {
            result.r1 = take();
        }

        /** Submits. */
        @Actor
        public void second(ZZ_Result result) {
            result.r2 = take();
        }
    }
}
