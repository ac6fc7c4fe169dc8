package io.slipstream.benchmarks.ring;

import com.lmax.disruptor.YieldingWaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import com.lmax.disruptor.util.DaemonThreadFactory;
import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.core.graph.EventGraph;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.ring.WhenFull;
import io.slipstream.core.thread.WaitStrategy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** A stream of events through a ring of objects, in million events a second. */
final class EventContest implements Contest {
    private static final int CAPACITY = 1 << 16;

    /* What the Disruptor's publishers do while the ring is full; theirs is fixed, so ours get the same. */
    private static final WaitStrategy PARK_BRIEFLY = new WaitStrategy(0, 0, 1, 1, false);

    private final Shape shape;
    private final int publishers;
    private final int claim;
    private final long each;
    private final Supplier<Event> events;

    /**
     * @param claim  how many events a publisher claims at a time
     * @param events how many events in all
     */
    EventContest(Shape shape, int publishers, int claim, int events, Supplier<Event> factory) {
        this.shape = shape;
        this.publishers = publishers;
        this.claim = claim;
        this.each = events / publishers / claim * (long) claim;
        this.events = factory;
    }

    @Override
    public double ours() throws Exception {
        RingBuffer<Event> ring = publishers == 1
                ? RingBuffer.forOnePublisher(events, CAPACITY, PARK_BRIEFLY, WhenFull.WAIT)
                : RingBuffer.forManyPublishers(events, CAPACITY, PARK_BRIEFLY, WhenFull.WAIT);
        CountDownLatch done = new CountDownLatch(shape.stages);
        Adder[] adders = adders(done);
        try (EventGraph<Event> graph = EventGraph.of(ring)) {
            shape.build(graph, adders);
            graph.start(WaitStrategy.yielding());
            return measure(
                    n -> {
                        if (claim == 1) {
                            publishOneByOne(ring, n);
                        } else {
                            publishBatches(ring, n, claim);
                        }
                    },
                    done,
                    adders);
        }
    }

    @Override
    public double peer() throws Exception {
        Disruptor<Event> disruptor = new Disruptor<>(
                events::get,
                CAPACITY,
                DaemonThreadFactory.INSTANCE,
                publishers == 1 ? ProducerType.SINGLE : ProducerType.MULTI,
                new YieldingWaitStrategy());
        CountDownLatch done = new CountDownLatch(shape.stages);
        Adder[] adders = adders(done);
        shape.build(disruptor, adders);
        com.lmax.disruptor.RingBuffer<Event> ring = disruptor.start();
        try {
            return measure(
                    n -> {
                        if (claim == 1) {
                            publishOneByOne(ring, n);
                        } else {
                            publishBatches(ring, n, claim);
                        }
                    },
                    done,
                    adders);
        } finally {
            disruptor.halt();
        }
    }

    private double measure(LongConsumer publish, CountDownLatch done, Adder[] adders) throws Exception {
        CyclicBarrier start = new CyclicBarrier(publishers + 1);
        for (int i = 0; i < publishers; i++) {
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    start.await();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                publish.accept(each);
            });
        }
        start.await();
        long begin = System.nanoTime();
        done.await();
        long nanos = System.nanoTime() - begin;
        for (Adder adder : adders) {
            adder.check(publishers * (each * (each - 1) / 2));
        }
        return publishers * each * 1e3 / nanos;
    }

    private Adder[] adders(CountDownLatch done) {
        Adder[] adders = new Adder[shape.stages];
        for (int i = 0; i < adders.length; i++) {
            adders[i] = new Adder(publishers * each, done);
        }
        return adders;
    }

    private static void publishOneByOne(RingBuffer<Event> ring, long count) {
        for (long i = 0; i < count; i++) {
            long sequence = ring.claim();
            ring.get(sequence).write(i);
            ring.publish(sequence);
        }
    }

    private static void publishBatches(RingBuffer<Event> ring, long count, int claim) {
        for (long i = 0; i < count; i += claim) {
            long first = ring.claim(claim);
            for (int k = 0; k < claim; k++) {
                ring.get(first + k).write(i + k);
            }
            ring.publish(first, claim);
        }
    }

    private static void publishOneByOne(com.lmax.disruptor.RingBuffer<Event> ring, long count) {
        for (long i = 0; i < count; i++) {
            long sequence = ring.next();
            ring.get(sequence).write(i);
            ring.publish(sequence);
        }
    }

    private static void publishBatches(com.lmax.disruptor.RingBuffer<Event> ring, long count, int claim) {
        for (long i = 0; i < count; i += claim) {
            long last = ring.next(claim);
            long first = last - claim + 1;
            for (int k = 0; k < claim; k++) {
                ring.get(first + k).write(i + k);
            }
            ring.publish(first, last);
        }
    }
}
