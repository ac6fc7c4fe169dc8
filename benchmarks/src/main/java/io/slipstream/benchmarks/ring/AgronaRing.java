package io.slipstream.benchmarks.ring;

import org.agrona.BufferUtil;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/** Agrona's rings on direct memory, with {@code tryClaim} and {@code commit}, and the same spinning and yielding. */
final class AgronaRing implements FramePeer {
    private static final int TYPE = 1;
    private static final int READ_LIMIT = 1024;

    @Override
    public Round run(int publishers, long each) {
        AtomicBuffer memory = new UnsafeBuffer(
                BufferUtil.allocateDirectAligned(FrameContest.CAPACITY + RingBufferDescriptor.TRAILER_LENGTH, 128));
        RingBuffer ring = publishers == 1 ? new OneToOneRingBuffer(memory) : new ManyToOneRingBuffer(memory);
        Adder adder = new Adder();
        long begin = System.nanoTime();
        for (int i = 0; i < publishers; i++) {
            Thread.ofPlatform().daemon().start(() -> Runs.publish(each, (from, to) -> publish(ring, from, to)));
        }
        for (long left = publishers * each, idle = 0; left > 0; ) {
            int read = ring.read(adder, READ_LIMIT);
            left -= read;
            idle = Pauses.after(read, idle);
        }
        return new Round(adder.sum, System.nanoTime() - begin);
    }

    private static void publish(RingBuffer ring, long from, long to) {
        AtomicBuffer memory = ring.buffer();
        for (long i = from; i < to; i++) {
            int index = ring.tryClaim(TYPE, FrameContest.MESSAGE_BYTES);
            for (long idle = 0; index < 0; index = ring.tryClaim(TYPE, FrameContest.MESSAGE_BYTES)) {
                idle = Pauses.after(0, idle);
            }
            for (int k = 0; k < FrameContest.MESSAGE_BYTES; k += Long.BYTES) {
                memory.putLong(index + k, i);
            }
            ring.commit(index);
        }
    }

    private static final class Adder implements MessageHandler {
        private long sum;

        @Override
        public void onMessage(int type, MutableDirectBuffer buffer, int index, int length) {
            sum += buffer.getLong(index) + buffer.getLong(index + FrameContest.MESSAGE_BYTES - Long.BYTES);
        }
    }
}
