package io.slipstream.benchmarks.ring;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.core.frame.Frame;
import io.slipstream.core.frame.FrameHandler;
import io.slipstream.core.graph.FrameGraph;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.thread.WaitStrategy;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CountDownLatch;

/**
 * Frames of 64 bytes, in million frames a second, one in a claim of ours or several. Each frame is written whole, and
 * its first and last long are added up.
 */
final class FrameContest implements Contest {
    static final int MESSAGE_BYTES = 64;
    static final int CAPACITY = 1 << 26;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final int publishers;
    private final int claim;
    private final long each;
    private final FramePeer peer;

    FrameContest(int publishers, int claim, int frames, FramePeer peer) {
        this.publishers = publishers;
        this.claim = claim;
        this.each = frames / publishers / claim * claim;
        this.peer = peer;
    }

    @Override
    public double ours() throws Exception {
        return rate(run(publishers, each, claim));
    }

    @Override
    public double peer() throws Exception {
        return rate(peer.run(publishers, each));
    }

    /** Sends frames over a ring of ours, {@code claim} of them in one claim. */
    static FramePeer.Round run(int publishers, long each, int claim) throws Exception {
        WaitStrategy yielding = WaitStrategy.yielding();
        try (FrameRing ring = publishers == 1
                ? FrameRing.forOnePublisher(CAPACITY, yielding)
                : FrameRing.forManyPublishers(CAPACITY, yielding)) {
            CountDownLatch done = new CountDownLatch(1);
            FrameAdder adder = new FrameAdder(publishers * each, done);
            try (FrameGraph graph = FrameGraph.of(ring)) {
                graph.handleFramesWith(adder);
                graph.start(yielding);
                long begin = System.nanoTime();
                for (int i = 0; i < publishers; i++) {
                    Thread.ofPlatform()
                            .daemon()
                            .start(() -> Runs.publish(
                                    each,
                                    claim == 1
                                            ? (from, to) -> publish(ring, from, to)
                                            : (from, to) -> publish(ring, from, to, claim)));
                }
                done.await();
                return new FramePeer.Round(adder.cell.sum, System.nanoTime() - begin);
            }
        }
    }

    private double rate(FramePeer.Round round) {
        long expected = publishers * each * (each - 1);
        if (round.sum() != expected) {
            throw new AssertionError("the sum is " + round.sum() + " instead of " + expected);
        }
        return publishers * each * 1e3 / round.nanos();
    }

    @Override
    public void close() throws IOException {
        peer.close();
    }

    private static void publish(FrameRing ring, long from, long to) {
        MemorySegment memory = ring.memory();
        for (long i = from; i < to; i++) {
            long position = ring.claim(MESSAGE_BYTES);
            long at = ring.offset(position) + Frame.HEADER_BYTES;
            for (int k = 0; k < MESSAGE_BYTES; k += Long.BYTES) {
                memory.set(LONG, at + k, i);
            }
            ring.publish(position);
        }
    }

    private static void publish(FrameRing ring, long from, long to, int claim) {
        MemorySegment memory = ring.memory();
        int stride = FrameRing.stride(MESSAGE_BYTES);
        for (long i = from; i < to; ) {
            long position = ring.claim(MESSAGE_BYTES, claim);
            long at = ring.offset(position) + Frame.HEADER_BYTES;
            for (long end = i + claim; i < end; i++, at += stride) {
                for (int k = 0; k < MESSAGE_BYTES; k += Long.BYTES) {
                    memory.set(LONG, at + k, i);
                }
            }
            ring.publish(position, MESSAGE_BYTES, claim);
        }
    }

    @SuppressWarnings("unused")
    private static final class FrameAdder implements FrameHandler {
        /* Keeps what this handler writes away from its neighbours on the heap, which the publishers may read. */
        private final long[] before = new long[32];
        private final Cell cell = new Cell();
        private final long[] behind = new long[32];
        private final CountDownLatch done;

        private static final class Cell {
            private long left;
            private long sum;
        }

        FrameAdder(long frames, CountDownLatch done) {
            cell.left = frames;
            this.done = done;
        }

        @Override
        public void onFrame(MemorySegment memory, long offset, int length, boolean endOfBatch) {
            cell.sum += memory.get(LONG, offset + Frame.HEADER_BYTES)
                    + memory.get(LONG, offset + Frame.HEADER_BYTES + MESSAGE_BYTES - Long.BYTES);
            if (--cell.left == 0) {
                done.countDown();
            }
        }
    }
}
