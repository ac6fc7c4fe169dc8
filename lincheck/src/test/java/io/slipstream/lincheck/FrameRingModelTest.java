package io.slipstream.lincheck;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.memory.Region;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.WhenFull;
import io.slipstream.core.thread.WaitStrategy;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.BooleanSupplier;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Frames of one to three longs, and claims of two frames of one long, on a ring of 64 bytes, which is full and wraps
 * all the time; and the same with aborts on a ring with more room, since room taken by what was aborted becomes free at
 * no moment that a caller could name. Native memory cannot be seen by the model checker, so here threads really run
 * beside each other. The broken twins leave the bad moment not to luck: each waits for the other thread to do the harm,
 * and gets scenarios until the checker objects.
 */
@Timeout(1_000)
class FrameRingModelTest {
    private static final int ITERATIONS = Integer.getInteger("slipstream.model.iterations", 4);
    private static final int INVOCATIONS = 50;
    private static final int TIGHT = 64;
    private static final int ROOMY = 512;

    @Test
    void onePublisherAndOneConsumerAreLinearizable() {
        options(OneTight.class).check(OnePublisher.class);
    }

    @Test
    void manyPublishersAreLinearizable() {
        options(ManyTight.class).check(ManyPublishers.class);
    }

    @Test
    void abortsOfOnePublisherAreLinearizable() {
        options(Roomy.class).check(OnePublisherThatAborts.class);
    }

    @Test
    void abortsOfManyPublishersAreLinearizable() {
        options(Roomy.class).check(ManyPublishersThatAbort.class);
    }

    @Test
    void theCheckerObjectsToAFrameThatIsPublishedBeforeItIsWritten() {
        assertCaught(ManyTight.class, PublishedTooEarly.class);
    }

    @Test
    void theCheckerObjectsToAFrameThatIsReadAfterItWasPassed() {
        assertCaught(OneTight.class, ReadTooLate.class);
    }

    /** Many scenarios, and each only some times: one in which harm is possible shows it at once. */
    private static void assertCaught(Class<? extends FrameFifo> specification, Class<?> broken) {
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> options(specification)
                        .iterations(1_000)
                        .invocationsPerIteration(5)
                        .actorsBefore(1)
                        .actorsAfter(0)
                        .check(broken));
    }

    private static StressOptions options(Class<? extends FrameFifo> specification) {
        return new StressOptions()
                .iterations(ITERATIONS)
                .invocationsPerIteration(INVOCATIONS)
                .threads(2)
                .actorsBefore(2)
                .actorsPerThread(4)
                .actorsAfter(3)
                .minimizeFailedScenario(false)
                .sequentialSpecification(specification);
    }

    /**
     * With one publisher a frame's place stays free, so that the header behind the newest frame is never one of the
     * last lap.
     */
    public static class OneTight extends FrameFifo {
        /** Creates the ring. */
        public OneTight() {
            super(TIGHT, TIGHT - Frame.ALIGNMENT);
        }
    }

    /** With many publishers the whole ring may be in use. */
    public static class ManyTight extends FrameFifo {
        /** Creates the ring. */
        public ManyTight() {
            super(TIGHT, TIGHT);
        }
    }

    /** Has room for whatever is offered and aborted. */
    public static class Roomy extends FrameFifo {
        /** Creates the ring. */
        public Roomy() {
            super(ROOMY, ROOMY);
        }
    }

    /** One thread offers, one polls. */
    public static class OnePublisher extends Frames {
        /** Creates the ring. */
        public OnePublisher() {
            this(SMALL);
        }

        OnePublisher(Region memory) {
            super(FrameRing.forOnePublisher(memory, WaitStrategy.busySpin(), WhenFull.WAIT));
        }

        @Operation(nonParallelGroup = "publisher")
        public boolean offer(
                @Param(gen = IntGen.class, conf = "1:9") int value,
                @Param(gen = IntGen.class, conf = "1:3") int longs) {
            return publish(longs, value);
        }

        @Operation(nonParallelGroup = "publisher")
        public boolean offerTwo(
                @Param(gen = IntGen.class, conf = "1:9") int first,
                @Param(gen = IntGen.class, conf = "1:9") int second) {
            return publish(1, first, second);
        }

        @Operation(nonParallelGroup = "consumer")
        public @Nullable Integer poll() {
            return take();
        }
    }

    /** One thread offers and aborts, one polls. */
    public static class OnePublisherThatAborts extends OnePublisher {
        /** Creates the ring. */
        public OnePublisherThatAborts() {
            super(LARGE);
            advance();
        }

        @Operation(nonParallelGroup = "publisher")
        public boolean abort(@Param(gen = IntGen.class, conf = "1:3") int longs) {
            return giveUp(longs, 1);
        }

        @Operation(nonParallelGroup = "publisher")
        public boolean abortTwo() {
            return giveUp(1, 2);
        }
    }

    /**
     * Both threads offer, one of them polls. A frame that is claimed and not yet published hides those behind it, so
     * that a poll that finds nothing is no proof that the ring is empty; this one waits for what is under way.
     */
    public static class ManyPublishers extends Frames {
        /** Creates the ring. */
        public ManyPublishers() {
            this(SMALL);
        }

        ManyPublishers(Region memory) {
            super(FrameRing.forManyPublishers(memory, WaitStrategy.busySpin(), WhenFull.WAIT));
        }

        @Operation
        public boolean offer(
                @Param(gen = IntGen.class, conf = "1:9") int value,
                @Param(gen = IntGen.class, conf = "1:3") int longs) {
            return publish(longs, value);
        }

        @Operation
        public boolean offerTwo(
                @Param(gen = IntGen.class, conf = "1:9") int first,
                @Param(gen = IntGen.class, conf = "1:9") int second) {
            return publish(1, first, second);
        }

        @Operation(nonParallelGroup = "consumer")
        public @Nullable Integer poll() {
            Integer value = take();
            while (value == null && ring.claimed() > poller.sequence().getAcquire()) {
                Thread.onSpinWait();
                value = take();
            }
            return value;
        }
    }

    /** Both threads offer and abort, one of them polls. */
    public static class ManyPublishersThatAbort extends ManyPublishers {
        /** Creates the ring. */
        public ManyPublishersThatAbort() {
            super(LARGE);
            advance();
        }

        @Operation
        public boolean abort(@Param(gen = IntGen.class, conf = "1:3") int longs) {
            return giveUp(longs, 1);
        }

        @Operation
        public boolean abortTwo() {
            return giveUp(1, 2);
        }
    }

    /**
     * Broken twin: its publishers write the message when the frame is published already, and passed if there is
     * somebody to do so.
     */
    public static class PublishedTooEarly extends ManyPublishers {
        @Override
        void writeAndPublish(long position, int longs, int... values) {
            publishClaim(position, longs, values.length);
            awaitHarm(() -> poller.sequence().getAcquire() > position);
            write(position, longs, values);
        }
    }

    /**
     * Broken twin: its consumer gives the frame back and only then reads it, when it is overwritten if there is
     * somebody to do so.
     */
    public static class ReadTooLate extends OnePublisher {
        @Override
        @Nullable
        Integer take() {
            taken = null;
            int bytes = poller.peekRun(1);
            if (bytes > 0) {
                long offset = poller.runOffset();
                int length = Frame.length(ring.memory(), offset);
                long message = offset + Frame.HEADER_BYTES;
                long written = ring.memory().get(LONG, message);
                poller.release(bytes);
                awaitHarm(() -> ring.memory().get(LONG, message) != written);
                read(ring.memory(), offset, length, true);
            }
            return taken;
        }
    }

    private abstract static class Frames {
        /* The checker makes tens of thousands of rings, one after the other. */
        static final Region SMALL = Region.allocate(TIGHT);
        static final Region LARGE = Region.allocate(ROOMY);

        static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
        private static final int MOST_YIELDS = 100;
        private static final long MOST_NANOS = 50_000_000;
        private static final int TORN = -1_000_000;

        final FrameRing ring;
        final FramePoller poller;

        @Nullable
        Integer taken;

        Frames(FrameRing ring) {
            this.ring = ring;
            this.poller = ring.newPoller();
        }

        /** Brings the ring to its second lap, near the end of its memory. */
        void advance() {
            while (ring.claimed() < 2 * ROOMY - 3 * Frame.ALIGNMENT) {
                publish(3, 0);
                take();
            }
        }

        /**
         * Waits for the other thread, but not for long: it may have nothing to do, or not be there. On a machine that
         * has much else to do, it gets its turn within a few of these calls, each of which takes long.
         */
        static void awaitHarm(BooleanSupplier done) {
            long begin = System.nanoTime();
            for (int i = 0; i < MOST_YIELDS && !done.getAsBoolean() && System.nanoTime() - begin < MOST_NANOS; i++) {
                Thread.yield();
            }
        }

        boolean publish(int longs, int... values) {
            long position = tryClaim(longs, values.length);
            if (position >= 0) {
                writeAndPublish(position, longs, values);
            }
            return position >= 0;
        }

        private long tryClaim(int longs, int count) {
            return count == 1 ? ring.tryClaim(Long.BYTES * longs) : ring.tryClaim(Long.BYTES * longs, count);
        }

        void writeAndPublish(long position, int longs, int... values) {
            write(position, longs, values);
            publishClaim(position, longs, values.length);
        }

        void publishClaim(long position, int longs, int count) {
            if (count == 1) {
                ring.publish(position);
            } else {
                ring.publish(position, Long.BYTES * longs, count);
            }
        }

        void write(long position, int longs, int... values) {
            long message = ring.offset(position) + Frame.HEADER_BYTES;
            for (int value : values) {
                for (int i = 0; i < longs; i++) {
                    ring.memory().set(LONG, message + (long) Long.BYTES * i, value);
                }
                message += FrameRing.stride(Long.BYTES * longs);
            }
        }

        boolean giveUp(int longs, int count) {
            long position = tryClaim(longs, count);
            if (position >= 0) {
                ring.abort(position);
            }
            return position >= 0;
        }

        @Nullable
        Integer take() {
            taken = null;
            poller.poll(this::read, 1);
            return taken;
        }

        void read(MemorySegment memory, long offset, int length, boolean endOfBatch) {
            long value = memory.get(LONG, offset + Frame.HEADER_BYTES);
            for (int at = Frame.HEADER_BYTES; at < length; at += Long.BYTES) {
                value = memory.get(LONG, offset + at) == value ? value : TORN;
            }
            taken = (int) value;
        }
    }
}
