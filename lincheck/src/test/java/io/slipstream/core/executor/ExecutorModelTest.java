package io.slipstream.core.executor;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayDeque;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The races of the executor's entrance: what was accepted before the shutdown is taken exactly once, by a worker or by
 * the one that shuts down, and nothing is accepted afterwards.
 */
class ExecutorModelTest {
    /** Scenarios for each check. {@code etc/prove} takes many more. */
    private static final int ITERATIONS = Integer.getInteger("slipstream.model.iterations", 2);
    /* The checker stops at the first scenario that fails, so a twin may have as many as it needs. */
    private static final int MOST_FOR_A_TWIN = 100;

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .iterations(ITERATIONS)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsBefore(1)
                .actorsPerThread(3)
                .actorsAfter(2)
                .minimizeFailedScenario(false);
    }

    /** A task that can be told from another. */
    private record Numbered(int number) implements Runnable {
        @Override
        public void run() {
            throw new AssertionError("nothing runs here");
        }
    }

    /** The queue of a worker: submitters, the worker, thieves, and a shutdown. */
    public static class Entrance {
        private final TaskQueue queue = new TaskQueue(2);

        /** Accepts or refuses. */
        @Operation
        public boolean submit(int number) {
            return queue.offer(new Numbered(number));
        }

        /** Takes, as a worker or a thief does. */
        @Operation
        public @Nullable Integer take() {
            return queue.poll() instanceof Numbered task ? task.number : null;
        }

        /** Shuts down. */
        @Operation(runOnce = true)
        public void close() {
            queue.close();
        }
    }

    /** One call at a time. */
    public static class EntranceSpecification {
        private final ArrayDeque<Integer> waiting = new ArrayDeque<>();
        private boolean closed;

        /** Accepts or refuses. */
        public boolean submit(int number) {
            return !closed && waiting.size() < 2 && waiting.add(number);
        }

        /** Takes. */
        public @Nullable Integer take() {
            return waiting.poll();
        }

        /** Shuts down. */
        public void close() {
            closed = true;
        }
    }

    /** Broken: asks whether it was shut down, and accepts after that. */
    public static class AskingTwin {
        private final TaskQueue queue = new TaskQueue(2);
        private volatile boolean closed;

        /** Accepts or refuses. */
        @Operation
        public boolean submit(int number) {
            return !closed && queue.offer(new Numbered(number));
        }

        /** Shuts down, and returns whether nothing is left. */
        @Operation(runOnce = true)
        public boolean close() {
            closed = true;
            return queue.isEmpty();
        }

        /** Returns whether nothing is left. */
        @Operation
        public boolean isEmpty() {
            return queue.isEmpty();
        }
    }

    /** One call at a time. */
    public static class AskingSpecification {
        private final EntranceSpecification entrance = new EntranceSpecification();
        private int waiting;

        /** Accepts or refuses. */
        public boolean submit(int number) {
            boolean accepted = entrance.submit(number);
            waiting += accepted ? 1 : 0;
            return accepted;
        }

        /** Shuts down, and returns whether nothing is left. */
        public boolean close() {
            entrance.close();
            return waiting == 0;
        }

        /** Returns whether nothing is left. */
        public boolean isEmpty() {
            return waiting == 0;
        }
    }

    /** Places that are taken, given back, and closed. */
    public static class Places {
        private final PlaceCount admission;

        /** Two places are taken. */
        public Places() {
            this(new PlaceCount(2));
        }

        Places(PlaceCount admission) {
            this.admission = admission;
            admission.tryAdmit();
            admission.tryAdmit();
        }

        /** Gives the place back that was taken first; returns whether it was the last one after the close. */
        @Operation(runOnce = true)
        public boolean giveFirstBack() {
            return admission.release();
        }

        /** Gives the place back that was taken then. */
        @Operation(runOnce = true)
        public boolean giveSecondBack() {
            return admission.release();
        }

        /** Takes a place. */
        @Operation
        public boolean admit() {
            return admission.tryAdmit();
        }

        /** Closes. */
        @Operation(runOnce = true)
        public void close() {
            admission.close();
        }

        /** Counts. */
        @Operation
        public int count() {
            return admission.count();
        }
    }

    /** One call at a time. */
    public static class PlacesSpecification {
        private int count = 2;
        private boolean closed;

        /** Gives a place back. */
        public boolean giveFirstBack() {
            count--;
            return closed && count == 0;
        }

        /** Gives a place back. */
        public boolean giveSecondBack() {
            return giveFirstBack();
        }

        /** Takes a place. */
        public boolean admit() {
            if (closed || count == 2) {
                return false;
            }
            count++;
            return true;
        }

        /** Closes. */
        public void close() {
            closed = true;
        }

        /** Counts. */
        public int count() {
            return count;
        }
    }

    /** Broken: looks whether there is a place, and then takes one, whoever was there meanwhile. */
    public static class CarelessTwin extends Places {
        /** Two places are taken. */
        public CarelessTwin() {
            super(new PlaceCount(2) {
                @Override
                boolean take(long count) {
                    taken.getAndAdd(1);
                    return true;
                }
            });
        }
    }

    @Test
    void theEntranceAcceptsOrRefusesAtOneMomentBesideAShutdown() {
        options().sequentialSpecification(EntranceSpecification.class).check(Entrance.class);
    }

    @Test
    void placesAreTakenOrRefusedAtOneMomentBesideAClose() {
        options().sequentialSpecification(PlacesSpecification.class).check(Places.class);
    }

    @Test
    void theCheckerFindsAnEntranceThatAsksFirst() {
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> options()
                        .iterations(MOST_FOR_A_TWIN)
                        .sequentialSpecification(AskingSpecification.class)
                        .check(AskingTwin.class));
    }

    @Test
    void theCheckerFindsPlacesThatAreGivenTwice() {
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> options()
                        .iterations(MOST_FOR_A_TWIN)
                        .sequentialSpecification(PlacesSpecification.class)
                        .check(CarelessTwin.class));
    }
}
