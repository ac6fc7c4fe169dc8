package io.slipstream.service.client;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.Signal;
import io.slipstream.service.protocol.Message;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The messages that were sent or wait to be sent, kept in the ring that carries them until they are answered.
 *
 * <p>A message's correlation is its position in the ring, counted in units of {@link Frame#ALIGNMENT} from 1. So the
 * room of the ring bounds both the memory and how far back a resend can reach, and an answer finds its message at once.
 * Where the caller numbers the commands, their correlations are those numbers, and those of all else are below zero.
 *
 * <p>Any thread adds; the link's thread does everything else.
 */
final class Outstanding implements AutoCloseable {
    /** The largest window in bytes. */
    static final int MAX_BYTES = 1 << 20;

    private static final int CORRELATIONS = 1 << 15;

    private final FrameRing ring;
    private final FramePoller published;
    private final Sequence released = new Sequence();
    private final int slotMask;
    private final int correlationBytes;
    private final long[] attachments;
    private final @Nullable CompletableFuture<?>[] futures;
    private final boolean[] answered;
    private final boolean[] oddStarts;

    /** Where the command of a number is; null if the caller does not number them. */
    private final @Nullable ConcurrentMap<Long, Long> numbered;

    /** Creates one without messages; {@code isNumbered} tells whether the caller numbers the commands. */
    Outstanding(int capacity, Signal signal, boolean isNumbered) {
        this.numbered = isNumbered ? new ConcurrentHashMap<>() : null;
        this.ring = new FrameRing(capacity);
        this.published = ring.newPoller();
        ring.addGating(released);
        ring.addSignal(signal);
        int slots = ring.capacity() / Frame.ALIGNMENT;
        this.slotMask = slots - 1;
        this.attachments = new long[slots];
        this.futures = new CompletableFuture<?>[slots];
        this.answered = new boolean[slots];
        // A service tells this many correlations apart. A frame is longer than two slots, so they may share one.
        this.correlationBytes = Math.max(Frame.ALIGNMENT, ring.capacity() / CORRELATIONS);
        this.oddStarts = new boolean[slots];
    }

    /** Returns the longest payload that can be sent. */
    int maxPayloadLength() {
        return ring.maxMessageLength() + Frame.HEADER_BYTES - Message.HEADER_BYTES;
    }

    /** Returns whether the caller numbers the commands. */
    boolean isNumbered() {
        return numbered != null;
    }

    /** Adds a message; returns whether there was room. */
    boolean add(
            short type,
            MemorySegment payload,
            long offset,
            int length,
            long attachment,
            @Nullable CompletableFuture<?> future) {
        return add(type, 0, payload, offset, length, attachment, future);
    }

    /**
     * Adds a message; returns whether there was room.
     *
     * @param number of a command, if the caller numbers them; otherwise 0
     * @throws IllegalStateException if a command of that number is under way
     */
    boolean add(
            short type,
            long number,
            MemorySegment payload,
            long offset,
            int length,
            long attachment,
            @Nullable CompletableFuture<?> future) {
        long position = ring.tryClaim(Message.HEADER_BYTES - Frame.HEADER_BYTES + length);
        if (position == FrameRing.NO_ROOM) {
            return false;
        }
        if (number != 0) {
            note(number, position);
        }
        int slot = slot(position);
        attachments[slot] = attachment;
        futures[slot] = future;
        oddStarts[slot(position - position % correlationBytes)] = position % correlationBytes != 0;
        long at = ring.offset(position);
        Message.headerWithoutLength(ring.memory(), at, type, 0, number != 0 ? number : correlation(position));
        MemorySegment.copy(payload, offset, ring.memory(), at + Message.HEADER_BYTES, length);
        ring.publish(position);
        return true;
    }

    private void note(long number, long position) {
        if (numbered == null || numbered.putIfAbsent(number, position) != null) {
            ring.abort(position);
            throw new IllegalStateException("command " + number + " of this session is under way already");
        }
    }

    /** Returns the memory that the messages are in. */
    MemorySegment memory() {
        return ring.memory();
    }

    /** Returns the position of the oldest message that is not answered. */
    long oldest() {
        return released.getPlain();
    }

    /** Returns the position behind the last message that was added completely. */
    long newest() {
        int bytes;
        while ((bytes = published.peekRun(Integer.MAX_VALUE)) > 0) {
            published.release(bytes);
        }
        return published.sequence().getPlain();
    }

    /** Returns the position of the first message from {@code position} on that is not answered, or {@code end}. */
    long firstUnanswered(long position, long end) {
        long at = position;
        while (at < end && (length(at) < 0 || answered[slot(at)])) {
            at += Math.abs(aligned(at));
        }
        return at;
    }

    /**
     * Returns the position behind the messages, side by side from {@code position} on, that are not answered: as many
     * as fit into {@code maxBytes}, and at least one.
     */
    long endOfUnanswered(long position, long end, int maxBytes) {
        long at = position;
        while (at < end
                && length(at) > 0
                && !answered[slot(at)]
                && (at == position || at + aligned(at) - position <= maxBytes)) {
            at += aligned(at);
            if (ring.offset(at) == 0) {
                break;
            }
        }
        return at;
    }

    /** Flags the unanswered messages before {@code end} as sent before. */
    void markResent(long end) {
        long position = released.getPlain();
        while ((position = firstUnanswered(position, end)) < end) {
            Message.flags(ring.memory(), ring.offset(position), Message.RESENT);
            position += aligned(position);
        }
    }

    /** Returns the offset in {@link #memory} of the message at {@code position}. */
    long offset(long position) {
        return ring.offset(position);
    }

    /** Returns the position of the unanswered message with that correlation, or -1. */
    long find(long correlation, long end) {
        long position = position(correlation);
        boolean outstanding = position >= released.getPlain() && position < end && !answered[slot(position)];
        return outstanding ? position : -1;
    }

    private long position(long correlation) {
        if (numbered != null && correlation > 0) {
            return numbered.getOrDefault(correlation, -1L);
        }
        long position = ((numbered == null ? correlation : -correlation) - 1) * correlationBytes;
        return oddStarts[slot(position)] ? position + Frame.ALIGNMENT : position;
    }

    /** Returns the length of the message at {@code position}, with its header. */
    int frameLength(long position) {
        return length(position);
    }

    long attachment(long position) {
        return attachments[slot(position)];
    }

    @Nullable
    CompletableFuture<?> future(long position) {
        return futures[slot(position)];
    }

    /** Notes that the message at {@code position} needs nothing more. */
    void answered(long position) {
        answered[slot(position)] = true;
        futures[slot(position)] = null;
        if (numbered != null) {
            numbered.remove(Message.correlation(ring.memory(), offset(position)), position);
        }
    }

    /** Gives back the room of the oldest messages that need nothing more, up to {@code end}. */
    void release(long end) {
        long oldest = released.getPlain();
        long at = oldest;
        while (at < end && (length(at) < 0 || answered[slot(at)])) {
            int aligned = Math.abs(aligned(at));
            answered[slot(at)] = false;
            at += aligned;
        }
        if (at != oldest) {
            released.setRelease(at);
        }
    }

    @Override
    public void close() {
        ring.close();
    }

    private int length(long position) {
        return Frame.length(ring.memory(), ring.offset(position));
    }

    private int aligned(long position) {
        int length = length(position);
        return length < 0 ? length : Frame.align(length);
    }

    private int slot(long position) {
        return (int) (position / Frame.ALIGNMENT) & slotMask;
    }

    private long correlation(long position) {
        long place = position / correlationBytes + 1;
        return numbered == null ? place : -place;
    }
}
