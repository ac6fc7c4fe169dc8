package io.slipstream.lincheck;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.slipstream.core.queue.BoundedQueue;
import io.slipstream.core.queue.GrowingManyToOneQueue;
import io.slipstream.core.queue.GrowthTwin;
import io.slipstream.core.queue.ManyToManyQueue;
import io.slipstream.core.queue.ManyToOneQueue;
import io.slipstream.core.queue.OneToManyQueue;
import io.slipstream.core.queue.OneToOneQueue;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each queue is linearizable, and the checker finds out the ones that are broken on purpose. */
class QueueModelTest {
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
                .minimizeFailedScenario(false)
                .sequentialSpecification(BoundedFifo.class);
    }

    private static ModelCheckingOptions optionsOfThreeThreads() {
        return options().threads(3).actorsPerThread(2);
    }

    private static void assertCaught(Class<?> broken) {
        assertCaught(options(), broken);
    }

    private static void assertCaught(ModelCheckingOptions options, Class<?> broken) {
        assertThatExceptionOfType(LincheckAssertionError.class)
                .as(broken.getSimpleName())
                .isThrownBy(() -> options.iterations(MOST_FOR_A_TWIN).check(broken));
    }

    private static ModelCheckingOptions optionsOfFourPlaces() {
        return options().actorsBefore(2).sequentialSpecification(FourPlaces.class);
    }

    /** Drains at most one element, which is what a model without batches can tell; a batch is many of these. */
    private static @Nullable Integer drain(BoundedQueue<Integer> queue) {
        List<Integer> taken = new ArrayList<>();
        queue.drain(taken::add, 1);
        return taken.isEmpty() ? null : taken.getFirst();
    }

    /** A queue with one consumer. */
    public abstract static class OneConsumer {
        final BoundedQueue<Integer> queue;

        OneConsumer(BoundedQueue<Integer> queue) {
            this.queue = queue;
        }

        @Operation(nonParallelGroup = "consumer")
        public @Nullable Integer poll() {
            return queue.poll();
        }

        @Operation(nonParallelGroup = "consumer")
        public @Nullable Integer peek() {
            return queue.peek();
        }
    }

    /** A queue with many consumers. */
    public abstract static class ManyConsumers {
        final BoundedQueue<Integer> queue;

        ManyConsumers(BoundedQueue<Integer> queue) {
            this.queue = queue;
        }

        @Operation
        public @Nullable Integer poll() {
            return queue.poll();
        }

        @Operation
        public @Nullable Integer peek() {
            return queue.peek();
        }

        @Operation
        public @Nullable Integer drain() {
            return QueueModelTest.drain(queue);
        }
    }

    /** One producer, one consumer. */
    @Param(name = "element", gen = IntGen.class, conf = "1:9")
    public static class OneToOne extends OneConsumer {
        /** Creates the queue. */
        public OneToOne() {
            super(new OneToOneQueue<>(2));
        }

        @Operation(params = "element", nonParallelGroup = "producer")
        public boolean offer(int element) {
            return queue.offer(element);
        }

        @Operation(params = "element", nonParallelGroup = "producer")
        public int fill(int element) {
            return queue.fill(() -> element, 1);
        }

        @Operation(nonParallelGroup = "consumer")
        public @Nullable Integer drain() {
            return QueueModelTest.drain(queue);
        }
    }

    /** Many producers, one consumer, and a close. */
    @Param(name = "element", gen = IntGen.class, conf = "1:9")
    public static class ManyToOne extends OneConsumer {
        /** Creates the queue. */
        public ManyToOne() {
            super(new ManyToOneQueue<>(2));
        }

        @Operation(params = "element")
        public boolean offer(int element) {
            return queue.offer(element);
        }

        @Operation(params = "element")
        public int fill(int element) {
            return queue.fill(() -> element, 1);
        }

        @Operation(runOnce = true)
        public void close() {
            ((ManyToOneQueue<?>) queue).close();
        }
    }

    /** One producer, many consumers. */
    @Param(name = "element", gen = IntGen.class, conf = "1:9")
    public static class OneToMany extends ManyConsumers {
        /** Creates the queue. */
        public OneToMany() {
            super(new OneToManyQueue<>(2));
        }

        @Operation(params = "element", nonParallelGroup = "producer")
        public boolean offer(int element) {
            return queue.offer(element);
        }

        @Operation(params = "element", nonParallelGroup = "producer")
        public int fill(int element) {
            return queue.fill(() -> element, 1);
        }
    }

    /** Many producers, many consumers, and a close. */
    @Param(name = "element", gen = IntGen.class, conf = "1:9")
    public static class ManyToMany extends ManyConsumers {
        /** Creates the queue. */
        public ManyToMany() {
            super(new ManyToManyQueue<>(2));
        }

        @Operation(params = "element")
        public boolean offer(int element) {
            return queue.offer(element);
        }

        @Operation(params = "element")
        public int fill(int element) {
            return queue.fill(() -> element, 1);
        }

        @Operation(runOnce = true)
        public void close() {
            ((ManyToManyQueue<?>) queue).close();
        }
    }

    /** A queue that grows from two places to four in the middle of the check. */
    @Param(name = "element", gen = IntGen.class, conf = "1:9")
    public static class Growing extends OneConsumer {
        /** Creates the queue. */
        public Growing() {
            super(new GrowingManyToOneQueue<>(2, 4));
        }

        @Operation(params = "element")
        public boolean offer(int element) {
            return queue.offer(element);
        }

        @Operation(params = "element")
        public int fill(int element) {
            return queue.fill(() -> element, 1);
        }
    }

    /** The specification of the growing queue. */
    public static class FourPlaces extends BoundedFifo {
        /** Creates it. */
        public FourPlaces() {
            super(4);
        }
    }

    /** Broken: two consumers of a growing queue, which is made for one. */
    @Param(name = "element", gen = IntGen.class, conf = "1:9")
    public static class CrowdedGrowingTwin extends ManyConsumers {
        /** Creates the queue. */
        public CrowdedGrowingTwin() {
            super(new GrowingManyToOneQueue<>(2, 4));
        }

        @Operation(params = "element")
        public boolean offer(int element) {
            return queue.offer(element);
        }
    }

    /** Broken: two threads that fill a queue which is made for one producer. */
    @Param(name = "element", gen = IntGen.class, conf = "1:9")
    public static class TwoFillersTwin extends ManyConsumers {
        /** Creates the queue. */
        public TwoFillersTwin() {
            super(new OneToManyQueue<>(2));
        }

        @Operation(params = "element")
        public int fill(int element) {
            return queue.fill(() -> element, 1);
        }
    }

    /**
     * Broken: drains up to an element that is still on its way, as a queue with many producers and one consumer may,
     * and calls that empty.
     */
    @Param(name = "element", gen = IntGen.class, conf = "1:9")
    public static class ImpatientDrainTwin {
        private final ManyToOneQueue<Integer> queue = new ManyToOneQueue<>(2);

        @Operation(params = "element")
        public int fill(int element) {
            return queue.fill(() -> element, 1);
        }

        @Operation(nonParallelGroup = "consumer")
        public @Nullable Integer drain() {
            return QueueModelTest.drain(queue);
        }
    }

    /** Broken: takes an element that is still on its way for an empty queue, though a later offer is complete. */
    @Param(name = "element", gen = IntGen.class, conf = "1:9")
    public static class ImpatientTwin {
        private final ManyToOneQueue<Integer> queue = new ManyToOneQueue<>(2);

        @Operation(params = "element")
        public boolean offer(int element) {
            return queue.offer(element);
        }

        @Operation(nonParallelGroup = "consumer")
        public @Nullable Integer poll() {
            return queue.relaxedPoll();
        }
    }

    /** Broken: two consumers of a queue that is made for one. */
    @Param(name = "element", gen = IntGen.class, conf = "1:9")
    public static class CrowdedTwin extends ManyConsumers {
        /** Creates the queue. */
        public CrowdedTwin() {
            super(new ManyToOneQueue<>(2));
        }

        @Operation(params = "element")
        public boolean offer(int element) {
            return queue.offer(element);
        }
    }

    /** Broken: two producers and two consumers of a queue that is made for one of each. */
    @Param(name = "element", gen = IntGen.class, conf = "1:9")
    public static class OvercrowdedTwin extends ManyConsumers {
        /** Creates the queue. */
        public OvercrowdedTwin() {
            super(new OneToOneQueue<>(2));
        }

        @Operation(params = "element")
        public boolean offer(int element) {
            return queue.offer(element);
        }
    }

    /** Broken: two producers of a queue that is made for one. */
    @Param(name = "element", gen = IntGen.class, conf = "1:9")
    public static class TwoProducersTwin extends ManyConsumers {
        /** Creates the queue. */
        public TwoProducersTwin() {
            super(new OneToManyQueue<>(2));
        }

        @Operation(params = "element")
        public boolean offer(int element) {
            return queue.offer(element);
        }
    }

    /** Broken: peeks without looking again whether the element was still the first one. */
    @Param(name = "element", gen = IntGen.class, conf = "1:9")
    public static class HastyTwin {
        private final ManyToManyQueue<Integer> queue = new ManyToManyQueue<>(2);

        @Operation(params = "element")
        public boolean offer(int element) {
            return queue.offer(element);
        }

        @Operation
        public @Nullable Integer poll() {
            return queue.poll();
        }

        @Operation
        public @Nullable Integer peek() {
            var elements = queue.iterator();
            return elements.hasNext() ? elements.next() : null;
        }
    }

    @Test
    void oneToOneIsLinearizable() {
        options().check(OneToOne.class);
    }

    @Test
    void manyToOneIsLinearizableAlsoBesideAClose() {
        options().check(ManyToOne.class);
    }

    @Test
    void oneToManyIsLinearizable() {
        options().check(OneToMany.class);
    }

    @Test
    void manyToManyIsLinearizableAlsoBesideAClose() {
        options().check(ManyToMany.class);
    }

    @Test
    void manyToManyIsLinearizableWithThreeThreads() {
        optionsOfThreeThreads().check(ManyToMany.class);
    }

    @Test
    void growingIsLinearizableWhileItGrows() {
        optionsOfFourPlaces().check(Growing.class);
    }

    @Test
    @Tag("long")
    void theCheckerFindsTheBrokenTwinsOfTheGrowingQueue() {
        assertCaught(optionsOfFourPlaces(), CrowdedGrowingTwin.class);
        assertCaught(optionsOfFourPlaces(), GrowthTwin.class);
    }

    @Test
    @Tag("long")
    void theCheckerFindsTheBrokenTwins() {
        assertCaught(ImpatientTwin.class);
        assertCaught(TwoFillersTwin.class);
        assertCaught(ImpatientDrainTwin.class);
        assertCaught(CrowdedTwin.class);
        assertCaught(OvercrowdedTwin.class);
        assertCaught(TwoProducersTwin.class);
        assertCaught(HastyTwin.class);
    }
}
