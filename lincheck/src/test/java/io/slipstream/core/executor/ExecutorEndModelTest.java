package io.slipstream.core.executor;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.slipstream.core.thread.WaitStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The end of the whole executor: submissions, turns of its worker, {@code shutdown} and {@code shutdownNow} in any
 * order. Each task that was accepted is run or handed back, once, and then the executor is terminated; not before.
 */
@Timeout(400)
class ExecutorEndModelTest {
    private static final int PLACES = 2;
    /** Scenarios for each check; fewer than of smaller models, since each takes the whole executor. */
    private static final int ITERATIONS = Integer.getInteger("slipstream.model.iterations", 2) / 2;

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .iterations(ITERATIONS)
                .invocationsPerIteration(60)
                .threads(2)
                .actorsBefore(1)
                .actorsPerThread(3)
                .actorsAfter(0)
                .minimizeFailedScenario(false)
                .sequentialSpecification(Calls.class);
    }

    /**
     * What the calls return, which is nothing: a worker may pass over a task whose submission goes on. What counts is
     * the end.
     */
    public static class Calls {
        /** Submits. */
        public void submit(int number) {
            // Nothing to compare.
        }

        /** Lets the worker work. */
        public void turn() {
            // Nothing to compare.
        }

        /** Shuts down. */
        public void shutdown() {
            // Nothing to compare.
        }

        /** Stops. */
        public void shutdownNow() {
            // Nothing to compare.
        }
    }

    /** The executor with one worker, which does its turns when it is told to. */
    @Param(name = "number", gen = IntGen.class, conf = "1:9")
    public abstract static class Model {
        final ExecutorCore executor;
        private final List<Numbered> submitted = new ArrayList<>();
        private final ExecutorWorker worker;
        private boolean ended;

        Model(ExecutorCore executor) {
            this.executor = executor;
            this.worker = executor.worker(0);
        }

        static LockFreeExecutor.Builder builder() {
            return LockFreeExecutor.builder()
                    .capacity(PLACES)
                    .maxTimers(1)
                    .waitStrategy(WaitStrategy.busySpin())
                    .threadFactory(worker -> new Thread(worker) {
                        @Override
                        public void start() {
                            // The operation that does a turn is the worker.
                        }
                    });
        }

        /** A task that knows what has become of it. */
        private static final class Numbered implements Runnable {
            private final int number;
            private volatile boolean accepted;
            private int ends;

            Numbered(int number) {
                this.number = number;
            }

            @Override
            public synchronized void run() {
                ends++;
            }
        }

        abstract BoundedExecutor target();

        /** Submits a task. */
        @Operation(params = "number")
        public void submit(int number) {
            Numbered task = new Numbered(number);
            synchronized (submitted) {
                submitted.add(task);
            }
            task.accepted = target().tryExecute(task);
        }

        /** Lets the worker work until it has found nothing to do, or ended. */
        @Operation(nonParallelGroup = "worker")
        public void turn() {
            do {
                if (!ended && !worker.turn()) {
                    ended = true;
                    executor.ended();
                }
            } while (!ended && worker.idleRounds == 0);
        }

        /** Stops; what is handed back counts as done. */
        @Operation(runOnce = true)
        public void shutdownNow() {
            executor.shutdownNow().forEach(Runnable::run);
        }

        /** Shuts down. */
        @Operation(runOnce = true)
        public void shutdown() {
            executor.shutdown();
        }

        /** Lets the worker come to the end, and looks what has become of each task. */
        @Validate
        public void checkTheEnd() throws InterruptedException {
            executor.shutdown();
            for (int i = 0; i < 4; i++) {
                turn();
            }
            for (Numbered task : submitted) {
                if (task.ends != (task.accepted ? 1 : 0)) {
                    throw new IllegalStateException("task " + task.number + ", which was "
                            + (task.accepted ? "accepted" : "refused") + " was run or handed back "
                            + task.ends + " times");
                }
            }
            if (!executor.isTerminated() || !executor.awaitTermination(0, TimeUnit.NANOSECONDS)) {
                throw new IllegalStateException("nothing is left, and the executor is not terminated");
            }
        }
    }

    /** Tasks without an order. */
    public static class Tasks extends Model {
        /** Creates the executor. */
        public Tasks() {
            this(builder().build());
        }

        Tasks(ExecutorCore executor) {
            super(executor);
        }

        @Override
        BoundedExecutor target() {
            return executor;
        }
    }

    /** Tasks of one key. */
    public static class KeyedTasks extends Model {
        /** Creates the executor. */
        public KeyedTasks() {
            super(builder().build());
        }

        @Override
        BoundedExecutor target() {
            return executor.forKey("key");
        }
    }

    /** Broken: a worker ends as soon as the executor was shut down and it has found nothing before that. */
    public static class HastyTwin extends Tasks {
        /** Creates the executor. */
        public HastyTwin() {
            super(new ExecutorCore(builder()) {
                @Override
                boolean isDrained() {
                    return isShutdown();
                }
            });
        }
    }

    @Test
    void whatWasAcceptedRunsOrIsHandedBackAndThenTheExecutorIsTerminated() {
        options().check(Tasks.class);
    }

    @Test
    @Tag("long")
    void theSameHoldsForTasksOfAKey() {
        options().check(KeyedTasks.class);
    }

    @Test
    @Tag("long")
    void theCheckerFindsAWorkerThatEndsTooSoon() {
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> options()
                        .actorsBefore(0)
                        .actorsPerThread(2)
                        .invocationsPerIteration(300)
                        .iterations(200)
                        .check(HastyTwin.class));
    }
}
