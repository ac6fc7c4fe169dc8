package io.slipstream.benchmarks.ring;

import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import com.lmax.disruptor.util.DaemonThreadFactory;
import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.core.graph.EventGraph;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.ring.WhenFull;
import io.slipstream.core.thread.WaitStrategy;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * The median time from the first of ten events, after a pause in which the consumer has parked, to the last handled;
 * all are added up. They are claimed and published one by one, each of which may wake the consumer, or all at once.
 */
final class BurstContest implements Contest {
    private static final int CAPACITY = 1024;
    private static final int BURST = 10;
    private static final int BURSTS = 2_000;
    private static final long PAUSE_NANOS = 1_000_000;

    private final int claim;
    private final int bursts;
    private volatile long handled;
    /* Written by the consumer before what it has handled. */
    private long sum;

    /** Creates it for claims of {@code claim} events, a divisor of ten. */
    BurstContest(int claim) {
        this(claim, BURSTS);
    }

    BurstContest(int claim, int bursts) {
        this.claim = claim;
        this.bursts = bursts;
    }

    @Override
    public double ours() {
        RingBuffer<Event> ring =
                RingBuffer.forOnePublisher(Event.OfOneLong::new, CAPACITY, WaitStrategy.parking(), WhenFull.WAIT);
        try (EventGraph<Event> graph = EventGraph.of(ring)) {
            graph.handleEventsWith((event, sequence, end) -> handle(event.value));
            graph.start(WaitStrategy.parking());
            return measure(value -> {
                long first = ring.claim(claim);
                for (int i = 0; i < claim; i++) {
                    ring.get(first + i).value = value + i;
                }
                ring.publish(first, claim);
            });
        }
    }

    @Override
    public double peer() {
        Disruptor<Event> disruptor = new Disruptor<>(
                Event.OfOneLong::new,
                CAPACITY,
                DaemonThreadFactory.INSTANCE,
                ProducerType.SINGLE,
                new BlockingWaitStrategy());
        disruptor.handleEventsWith((event, sequence, end) -> handle(event.value));
        com.lmax.disruptor.RingBuffer<Event> ring = disruptor.start();
        try {
            return measure(value -> {
                long last = ring.next(claim);
                long first = last - claim + 1;
                for (int i = 0; i < claim; i++) {
                    ring.get(first + i).value = value + i;
                }
                ring.publish(first, last);
            });
        } finally {
            disruptor.halt();
        }
    }

    void handle(long value) {
        sum += value;
        handled = value;
    }

    double measure(LongConsumer publish) {
        sum = 0;
        handled = -1;
        long[] nanos = new long[bursts];
        long value = 0;
        for (int burst = 0; burst < bursts; burst++) {
            LockSupport.parkNanos(PAUSE_NANOS);
            long begin = System.nanoTime();
            for (int i = 0; i < BURST; i += claim) {
                publish.accept(value);
                value += claim;
            }
            while (handled != value - 1) {
                Thread.onSpinWait();
            }
            nanos[burst] = System.nanoTime() - begin;
        }
        long expected = value * (value - 1) / 2;
        if (sum != expected) {
            throw new AssertionError("the consumer has the sum " + sum + " instead of " + expected);
        }
        Arrays.sort(nanos);
        return nanos[bursts / 2] / 1e3;
    }
}
