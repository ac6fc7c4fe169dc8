package io.slipstream.benchmarks.ring;

import com.lmax.disruptor.BatchEventProcessor;
import com.lmax.disruptor.BatchEventProcessorBuilder;
import com.lmax.disruptor.BusySpinWaitStrategy;
import io.slipstream.core.frame.Frame;
import io.slipstream.core.graph.EventGraph;
import io.slipstream.core.graph.FrameGraph;
import io.slipstream.core.memory.PaddedLong;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.ring.WhenFull;
import io.slipstream.core.thread.WaitStrategy;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongConsumer;

/** A message to and fro between two threads over two rings, both spinning; gives the times of the round trips. */
final class PingPong {
    private static final int CAPACITY = 1024;
    private static final int FRAME_CAPACITY = CAPACITY * Frame.ALIGNMENT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final long[] nanos;

    PingPong(int roundTrips) {
        nanos = new long[roundTrips];
    }

    double[] ours() throws Exception {
        WaitStrategy spin = WaitStrategy.busySpin();
        RingBuffer<Event> there = RingBuffer.forOnePublisher(Event.OfOneLong::new, CAPACITY, spin, WhenFull.WAIT);
        RingBuffer<Event> back = RingBuffer.forOnePublisher(Event.OfOneLong::new, CAPACITY, spin, WhenFull.WAIT);
        CountDownLatch done = new CountDownLatch(1);
        LongConsumer ping = i -> publish(there, i);
        Pinger pinger = new Pinger(nanos, ping, done);
        try (EventGraph<Event> pong = EventGraph.of(there);
                EventGraph<Event> pings = EventGraph.of(back)) {
            pong.handleEventsWith((event, sequence, end) -> publish(back, event.value));
            pings.handleEventsWith((event, sequence, end) -> pinger.returned(event.value));
            pong.start(spin);
            pings.start(spin);
            pinger.begin();
            done.await();
            pinger.check();
        }
        return percentiles();
    }

    double[] ourFrames() throws Exception {
        WaitStrategy spin = WaitStrategy.busySpin();
        CountDownLatch done = new CountDownLatch(1);
        try (FrameRing there = FrameRing.forOnePublisher(FRAME_CAPACITY, spin);
                FrameRing back = FrameRing.forOnePublisher(FRAME_CAPACITY, spin);
                FrameGraph pong = FrameGraph.of(there);
                FrameGraph pings = FrameGraph.of(back)) {
            LongConsumer ping = i -> publish(there, i);
            Pinger pinger = new Pinger(nanos, ping, done);
            pong.handleFramesWith((memory, offset, length, end) -> publish(back, value(memory, offset)));
            pings.handleFramesWith((memory, offset, length, end) -> pinger.returned(value(memory, offset)));
            pong.start(spin);
            pings.start(spin);
            pinger.begin();
            done.await();
            pinger.check();
        }
        return percentiles();
    }

    double[] disruptor() throws Exception {
        com.lmax.disruptor.RingBuffer<Event> there = com.lmax.disruptor.RingBuffer.createSingleProducer(
                Event.OfOneLong::new, CAPACITY, new BusySpinWaitStrategy());
        com.lmax.disruptor.RingBuffer<Event> back = com.lmax.disruptor.RingBuffer.createSingleProducer(
                Event.OfOneLong::new, CAPACITY, new BusySpinWaitStrategy());
        CountDownLatch done = new CountDownLatch(1);
        LongConsumer ping = i -> publish(there, i);
        Pinger pinger = new Pinger(nanos, ping, done);
        BatchEventProcessor<Event> pong = new BatchEventProcessorBuilder()
                .build(there, there.newBarrier(), (event, sequence, end) -> publish(back, event.value));
        BatchEventProcessor<Event> pings = new BatchEventProcessorBuilder()
                .build(back, back.newBarrier(), (event, sequence, end) -> pinger.returned(event.value));
        there.addGatingSequences(pong.getSequence());
        back.addGatingSequences(pings.getSequence());
        Thread a = Thread.ofPlatform().daemon().start(pong);
        Thread b = Thread.ofPlatform().daemon().start(pings);
        pinger.begin();
        done.await();
        pong.halt();
        pings.halt();
        a.join();
        b.join();
        pinger.check();
        return percentiles();
    }

    private double[] percentiles() {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return new double[] {sorted[sorted.length / 2], sorted[(int) (sorted.length * 0.999)]};
    }

    private static void publish(RingBuffer<Event> ring, long value) {
        long sequence = ring.claim();
        ring.get(sequence).value = value;
        ring.publish(sequence);
    }

    private static void publish(FrameRing ring, long value) {
        long position = ring.claim(Long.BYTES);
        ring.memory().set(LONG, ring.offset(position) + Frame.HEADER_BYTES, value);
        ring.publish(position);
    }

    private static long value(MemorySegment memory, long offset) {
        return memory.get(LONG, offset + Frame.HEADER_BYTES);
    }

    private static void publish(com.lmax.disruptor.RingBuffer<Event> ring, long value) {
        long sequence = ring.next();
        ring.get(sequence).value = value;
        ring.publish(sequence);
    }

    /** Sends the next message as soon as the last one has returned; after the first, on the thread of its consumer. */
    static final class Pinger {
        private static final long NONE = Long.MIN_VALUE;

        private final long[] nanos;
        private final LongConsumer ping;
        private final CountDownLatch done;
        /* Alone on its lines: what stands beside it is read by the other thread. */
        private final PaddedLong sent = new PaddedLong(0);
        private final PaddedLong asked = new PaddedLong(0);
        private final PaddedLong wrong = new PaddedLong(NONE);

        Pinger(long[] nanos, LongConsumer ping, CountDownLatch done) {
            this.nanos = nanos;
            this.ping = ping;
            this.done = done;
        }

        void begin() {
            sent.setVolatile(System.nanoTime());
            ping.accept(0);
        }

        void returned(long value) {
            long now = System.nanoTime();
            if (value != asked.getPlain()) {
                wrong.setPlain(value);
                done.countDown();
                return;
            }
            nanos[(int) value] = now - sent.getPlain();
            if (value + 1 == nanos.length) {
                done.countDown();
            } else {
                asked.setPlain(value + 1);
                sent.setVolatile(now);
                ping.accept(value + 1);
            }
        }

        /** After the end. */
        void check() {
            if (wrong.getPlain() != NONE) {
                throw new AssertionError("the answer to " + asked.getPlain() + " was " + wrong.getPlain());
            }
        }
    }
}
