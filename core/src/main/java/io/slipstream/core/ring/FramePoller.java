package io.slipstream.core.ring;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.frame.FrameHandler;
import io.slipstream.core.memory.PaddedLong;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.sequence.SequenceBarrier;
import io.slipstream.core.sequencer.ClosedBarrier;
import io.slipstream.core.sequencer.RingBarrier;
import io.slipstream.core.thread.Patience;
import io.slipstream.core.thread.Sleepers;
import io.slipstream.core.thread.WaitStrategy;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * One consumer of a {@link FrameRing}, which publishers wait for: it takes what has arrived as one batch and then moves
 * its sequence.
 *
 * <p>One thread polls; any thread may read the {@link #sequence}. Frames handled are released to the publishers, and to
 * the consumers behind, at the end of the batch, also when the handler throws: the frame that it threw on counts as
 * handled.
 */
public final class FramePoller implements AutoCloseable {
    private static final int LOOK_AHEAD_BYTES = 1 << 16;

    private static final Patience WAITING = new Patience(WaitStrategy.backoff(), new Sleepers());

    private final FrameRing ring;
    private final BooleanSupplier mayGoOn;
    private final MemorySegment memory;
    private RingBarrier barrier;
    private final Sequence sequence = new Sequence();
    private final PaddedLong next = new PaddedLong(0);
    private final PaddedLong known = new PaddedLong(0);
    private final PaddedLong runEnd = new PaddedLong(0);

    FramePoller(FrameRing ring, SequenceBarrier barrier) {
        this.ring = ring;
        this.mayGoOn = () -> available(next.getPlain()) || ring.failure() != null;
        this.memory = ring.memory();
        this.barrier = RingBarrier.of(barrier);
        ring.sequencer.followers().add(this.barrier.upstream());
        boolean added = false;
        try {
            ring.addGating(sequence, barrier);
            added = true;
        } finally {
            if (!added) {
                ring.sequencer.followers().remove(this.barrier.upstream());
            }
        }
        next.setPlain(sequence.getPlain());
        known.setPlain(sequence.getPlain());
    }

    /** Returns how far this consumer has come: the position of the next frame that it will take. */
    public Sequence sequence() {
        return sequence;
    }

    /**
     * Hands at most {@code limit} frames to the handler.
     *
     * @return the number of frames handled
     * @throws IllegalArgumentException if {@code limit} is negative
     * @throws IllegalStateException    if nothing is there, on the thread of a stage of the ring's graph that sleeps
     *                                  until it is woken, which nobody would do for this poller: make a stage of what
     *                                  polls
     */
    public int poll(FrameHandler handler, int limit) {
        requireNotNegative(limit);
        int count = 0;
        try {
            long position = goTo(next.getPlain());
            while (count < limit && position >= 0) {
                long offset = ring.offset(position);
                int length = Frame.length(memory, offset);
                long end = position + Frame.align(length);
                next.setPlain(end);
                count++;
                position = count < limit ? goTo(end) : -1;
                handler.onFrame(memory, offset, length, position < 0);
            }
        } finally {
            pass();
        }
        if (count == 0) {
            ring.sequencer.requireNoSleepingStage();
        }
        return count;
    }

    /**
     * Shows at most {@code limit} frames to the handler, which the next {@link #poll(FrameHandler, int)} hands to its
     * own. So a consumer can ask for what they need before it handles them.
     *
     * @return the number of frames shown
     * @throws IllegalArgumentException if {@code limit} is negative
     */
    public int peek(FrameHandler handler, int limit) {
        requireNotNegative(limit);
        int count = 0;
        long position = limit > 0 ? goTo(next.getPlain()) : -1;
        while (position >= 0) {
            long offset = ring.offset(position);
            int length = Frame.length(memory, offset);
            count++;
            position = count < limit ? skipGaps(position + Frame.align(length)) : -1;
            handler.onFrame(memory, offset, length, position < 0);
        }
        return count;
    }

    /**
     * Hands at most {@code limit} frames to the handler, waiting for the first one for at most {@code time}, as
     * {@link EventPoller#poll(EventVisitor, int, Duration)} does.
     *
     * @return the number of frames handled; 0 when the time is over, or at once when all was read and the ring takes
     *         nothing any more
     * @throws InterruptedException if the thread was interrupted while it waited
     */
    public int poll(FrameHandler handler, int limit, Duration time) throws InterruptedException {
        long nanos = Patience.nanos(Objects.requireNonNull(time, "time"));
        long begin = System.nanoTime();
        while (true) {
            boolean ended = ring.failure() != null;
            int count = poll(handler, limit);
            long left = nanos == Patience.FOREVER_NANOS ? nanos : nanos - (System.nanoTime() - begin);
            if (count > 0 || limit == 0 || ended || left <= 0 || !WAITING.await(mayGoOn, left)) {
                return count;
            }
        }
    }

    private static void requireNotNegative(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("the number of frames must not be negative, but is " + limit);
        }
    }

    /**
     * Looks at the longest run of published frames that lie side by side, at most {@code maxBytes} of it (but at least
     * one frame), and leaves it in the ring until {@link #release}.
     *
     * @return the bytes of the run, which begins at {@link #runOffset}; 0 if nothing has been published
     * @throws IllegalStateException as {@link #poll(FrameHandler, int)} does
     */
    public int peekRun(int maxBytes) {
        long start = goTo(next.getPlain());
        if (start < 0) {
            pass();
            ring.sequencer.requireNoSleepingStage();
            return 0;
        }
        int bytes = 0;
        long end = start;
        while (available(end)) {
            int length = Frame.length(memory, ring.offset(end));
            int aligned = Frame.align(length);
            if (length < 0 || (bytes > 0 && bytes + aligned > maxBytes)) {
                break;
            }
            bytes += aligned;
            end += aligned;
            if (ring.offset(end) == 0) {
                break;
            }
        }
        runEnd.setPlain(Math.max(runEnd.getPlain(), end));
        return bytes;
    }

    /** Returns the offset in the ring's memory of the run that {@link #peekRun} has found. */
    public long runOffset() {
        return ring.offset(next.getPlain());
    }

    /**
     * Advances past a run that was peeked at, or a part of it that ends with a frame.
     *
     * @throws IllegalArgumentException if no such part has so many bytes; nothing is released then
     */
    public void release(int bytes) {
        long start = next.getPlain();
        long run = Math.max(0, runEnd.getPlain() - start);
        if (bytes < 0 || bytes > run || bytes % Frame.ALIGNMENT != 0) {
            throw new IllegalArgumentException(
                    "of a run of " + run + " bytes no part that ends with a frame has " + bytes);
        }
        next.setPlain(start + bytes);
        pass();
    }

    private void pass() {
        long passed = next.getPlain();
        if (passed != sequence.getPlain()) {
            sequence.setRelease(passed);
            ring.roomMade();
        }
    }

    /** Goes to the next frame from {@code position} on and returns where it is; negative if it is not there yet. */
    private long goTo(long position) {
        long at = skipGaps(position);
        next.setPlain(at < 0 ? ~at : at);
        return at;
    }

    /** Returns where the next frame is from {@code position} on; if it is not there yet, the complement of that. */
    private long skipGaps(long position) {
        long at = position;
        while (available(at)) {
            int length = Frame.length(memory, ring.offset(at));
            if (length > 0) {
                return at;
            }
            at -= length;
        }
        return ~at;
    }

    private boolean available(long position) {
        if (position < known.getPlain()) {
            return true;
        }
        long end = barrier.available(position, LOOK_AHEAD_BYTES);
        known.setPlain(end);
        return position < end;
    }

    /**
     * Makes publishers wait for this consumer no more; polling then throws an {@link IllegalStateException}. For the
     * thread that polls, or for others when it has ended. Again it does nothing.
     *
     * @throws IllegalStateException if another poller is behind this one and the ring has not failed: close that one
     *                               first
     */
    @Override
    public void close() {
        if (barrier instanceof ClosedBarrier) {
            return;
        }
        if (!ring.sequencer.followers().tryEnd(sequence) && ring.failure() == null) {
            throw new IllegalStateException("another poller is behind this one, which stands at " + sequence
                    + ", and would see nothing more; close that one first");
        }
        ring.sequencer.followers().remove(barrier.upstream());
        barrier = new ClosedBarrier();
        known.setPlain(Long.MIN_VALUE);
        ring.removeGating(sequence);
    }
}
