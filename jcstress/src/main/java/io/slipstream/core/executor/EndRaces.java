package io.slipstream.core.executor;

import java.util.ArrayList;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The races of an executor's end. They stand in the package of the executor to reach its parts. */
public final class EndRaces {
    private static final Runnable TASK = () -> {};

    private EndRaces() {}

    /** One worker, whose thread never begins: the actors do what it would do. */
    private static LockFreeExecutor.Builder withoutThreads() {
        return LockFreeExecutor.builder().capacity(2).maxTimers(1).threadFactory(worker -> new Thread(worker) {
            @Override
            public void start() {
                // The actors are the worker.
            }
        });
    }

    /** A worker goes to rest beside a shutdown: it sees the end, or is woken to see it. */
    @JCStressTest
    @Outcome(
            id = {"true, true", "true, false", "false, true"},
            expect = Expect.ACCEPTABLE,
            desc = "it ends now or when woken")
    @Outcome(expect = Expect.FORBIDDEN, desc = "it sleeps on, and the executor never terminates")
    @State
    public static class RestBesideShutdown {
        private final ExecutorCore executor;

        /** Nothing to do. */
        public RestBesideShutdown() {
            this(withoutThreads().build());
        }

        RestBesideShutdown(ExecutorCore executor) {
            this.executor = executor;
        }

        /** Goes to rest; says whether it saw the end. */
        @Actor
        public void worker(ZZ_Result result) {
            executor.idle.enter(0);
            result.r1 = executor.isDrained();
        }

        /** Shuts down. */
        @Actor
        public void closer() {
            executor.shutdown();
        }

        /** Looks whether it was woken. */
        @Arbiter
        public void rest(ZZ_Result result) {
            result.r2 = !executor.idle.contains(0);
        }
    }

    /** Broken twin: wakes those who rest before it begins the end. Must be found out. */
    @JCStressTest
    @JCStressMeta(RestBesideShutdown.class)
    @State
    public static class BrokenShutdown extends RestBesideShutdown {
        /** Nothing to do. */
        public BrokenShutdown() {
            super(new ExecutorCore(withoutThreads()) {
                private boolean woken;

                @Override
                void wakeAll() {
                    if (!woken) {
                        woken = true;
                        super.wakeAll();
                    }
                }

                @Override
                public void shutdown() {
                    wakeAll();
                    super.shutdown();
                }
            });
        }

        /** Goes to rest. */
        @Override
        @Actor
        public void worker(ZZ_Result result) {
            super.worker(result);
        }

        /** Shuts down. */
        @Override
        @Actor
        public void closer() {
            super.closer();
        }

        /** Looks whether it was woken. */
        @Override
        @Arbiter
        public void rest(ZZ_Result result) {
            super.rest(result);
        }
    }

    /**
     * A submission beside {@code shutdown} by somebody who has seen that it was shut down: nothing is accepted any
     * more.
     */
    @JCStressTest
    @Outcome(
            id = {"false, true", "false, false", "true, false"},
            expect = Expect.ACCEPTABLE,
            desc = "accepted or refused before; refused after")
    @Outcome(id = "true, true", expect = Expect.FORBIDDEN, desc = "it was shut down, and then accepted")
    @State
    public static class SubmissionAfterShutdown {
        private final ExecutorCore executor;

        /** Nothing to do. */
        public SubmissionAfterShutdown() {
            this(withoutThreads().build());
        }

        SubmissionAfterShutdown(ExecutorCore executor) {
            this.executor = executor;
        }

        /** Looks, and submits. */
        @Actor
        public void submitter(ZZ_Result result) {
            result.r1 = executor.isShutdown();
            result.r2 = executor.tryExecute(TASK);
        }

        /** Shuts down. */
        @Actor
        public void closer() {
            executor.shutdown();
        }
    }

    /** Broken twin: says that it was shut down as soon as that has begun. Must be found out. */
    @JCStressTest
    @JCStressMeta(SubmissionAfterShutdown.class)
    @State
    public static class BrokenIsShutdown extends SubmissionAfterShutdown {
        /** Nothing to do. */
        public BrokenIsShutdown() {
            super(new ExecutorCore(withoutThreads()) {
                @Override
                public boolean isShutdown() {
                    return isEnding();
                }
            });
        }

        /** Looks, and submits. */
        @Override
        @Actor
        public void submitter(ZZ_Result result) {
            super.submitter(result);
        }

        /** Shuts down. */
        @Override
        @Actor
        public void closer() {
            super.closer();
        }
    }

    /** Two workers end: exactly one of them is the last, and tells those who wait for the termination. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true"},
            expect = Expect.ACCEPTABLE,
            desc = "one of them")
    @Outcome(expect = Expect.FORBIDDEN, desc = "nobody terminates the executor, or both do")
    @State
    public static class TwoWorkersEnd {
        private final Lifecycle life;

        /** Two workers live. */
        public TwoWorkersEnd() {
            this(new Lifecycle(2));
        }

        TwoWorkersEnd(Lifecycle life) {
            this.life = life;
        }

        /** Ends. */
        @Actor
        public void first(ZZ_Result result) {
            result.r1 = life.leave();
        }

        /** Ends. */
        @Actor
        public void second(ZZ_Result result) {
            result.r2 = life.leave();
        }
    }

    /** Broken twin: counts the living in two steps. Must be found out. */
    @JCStressTest
    @JCStressMeta(TwoWorkersEnd.class)
    @State
    public static class BrokenEnd extends TwoWorkersEnd {
        /** Two workers live. */
        public BrokenEnd() {
            super(new Lifecycle(2) {
                @Override
                boolean leave() {
                    int left = living.get() - 1;
                    Thread.onSpinWait();
                    living.set(left);
                    return left == 0;
                }
            });
        }

        /** Ends. */
        @Override
        @Actor
        public void first(ZZ_Result result) {
            super.first(result);
        }

        /** Ends. */
        @Override
        @Actor
        public void second(ZZ_Result result) {
            super.second(result);
        }
    }

    /**
     * A submission beside {@code shutdownNow}, after which no worker looks any more: what was accepted is handed back.
     */
    @JCStressTest
    @Outcome(
            id = {"true, true", "false, false"},
            expect = Expect.ACCEPTABLE,
            desc = "accepted and handed back, or refused")
    @Outcome(expect = Expect.FORBIDDEN, desc = "accepted and lost, or refused and handed back")
    @State
    public static class SubmissionBesideStop {
        private final ExecutorCore executor;
        private final List<Runnable> handedBack = new ArrayList<>();

        /** Nothing to do. */
        public SubmissionBesideStop() {
            this(withoutThreads().build());
        }

        SubmissionBesideStop(ExecutorCore executor) {
            this.executor = executor;
        }

        /** Submits. */
        @Actor
        public void submitter(ZZ_Result result) {
            result.r1 = executor.tryExecute(TASK);
        }

        /** Stops. */
        @Actor
        public void closer() {
            handedBack.addAll(executor.shutdownNow());
        }

        /** Looks what was handed back. */
        @Arbiter
        public void rest(ZZ_Result result) {
            result.r2 = handedBack.contains(TASK);
        }
    }

    /** Broken twin: takes the waiting tasks back before it closes the entrances. Must be found out. */
    @JCStressTest
    @JCStressMeta(SubmissionBesideStop.class)
    @State
    public static class BrokenStop extends SubmissionBesideStop {
        /** Nothing to do. */
        public BrokenStop() {
            super(new ExecutorCore(withoutThreads()) {
                @Override
                public List<Runnable> shutdownNow() {
                    List<Runnable> waiting = new ArrayList<>();
                    withdrawAll(waiting);
                    super.shutdownNow();
                    return waiting;
                }
            });
        }

        /** Submits. */
        @Override
        @Actor
        public void submitter(ZZ_Result result) {
            super.submitter(result);
        }

        /** Stops. */
        @Override
        @Actor
        public void closer() {
            super.closer();
        }

        /** Looks what was handed back. */
        @Override
        @Arbiter
        public void rest(ZZ_Result result) {
            super.rest(result);
        }
    }
}
