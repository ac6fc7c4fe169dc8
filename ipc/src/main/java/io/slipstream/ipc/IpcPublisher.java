package io.slipstream.ipc;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.frame.FrameWriter;
import io.slipstream.core.memory.Region;
import io.slipstream.core.thread.Patience;
import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.core.thread.Waiter;
import io.slipstream.ipc.errors.DetachedException;
import io.slipstream.ipc.file.Layout;
import io.slipstream.ipc.frame.Frames;
import io.slipstream.ipc.frame.Landmarks;
import io.slipstream.ipc.sleep.Bell;
import io.slipstream.ipc.slot.Gates;
import io.slipstream.ipc.slot.Slot;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Objects;

/**
 * Writes messages to a channel. A claim is room for one message, written in place and then published or aborted; one
 * claim at a time.
 *
 * <p>Owned by one thread. If its process is killed, what was published stays, and what was only claimed is never seen.
 */
public abstract class IpcPublisher implements AutoCloseable {
    /** What {@link #tryClaim} returns if there is no room. */
    public static final long NO_ROOM = -1;

    private static final int FIRST_LOOK = 64;
    private static final int LOOK_MASK = 1023;

    final Region region;
    final Frames frames;
    final Landmarks landmarks;
    final Slot slot;
    private final IpcChannel channel;
    private final Gates gates;
    private final Bell bell;
    private final Waiter waiter;
    private final long stateAt;
    private final long state;
    private long limit;
    private int refusals;
    private boolean closed;

    IpcPublisher(IpcChannel channel, Slot slot, Bell bell, WaitStrategy whileFull) {
        this.channel = channel;
        this.region = channel.region();
        this.frames = channel.frames();
        this.landmarks = channel.landmarks();
        this.slot = slot;
        this.stateAt = slot.base() + Layout.STATE_AT;
        this.state = slot.state();
        this.gates = channel.newGates();
        this.bell = bell;
        this.waiter = whileFull.newWaiter(new Signal());
        this.limit = channel.limit().get();
    }

    /** Returns the bytes of the longest message: half of the ring without a header. */
    public final int maxMessageLength() {
        return frames.longest() - Frame.HEADER_BYTES;
    }

    /**
     * Claims room for a message.
     *
     * @return its position, or {@link #NO_ROOM} if publishers have to wait for a subscriber
     * @throws IllegalArgumentException if the message is longer than {@link #maxMessageLength} or negative
     * @throws IllegalStateException    if the claim before is still open
     * @throws DetachedException        if this was closed, or its process has lost its kernel locks
     */
    public abstract long tryClaim(int messageLength);

    /**
     * Makes subscribers see the message of the claim at {@code position}.
     *
     * @throws IllegalStateException if there is no such claim
     * @throws DetachedException     if this was closed, or its process has lost its kernel locks; nobody sees it then
     */
    public abstract void publish(long position);

    /** Gives the claim at {@code position} back; subscribers never see it. */
    public abstract void abort(long position);

    /**
     * As {@link #tryClaim(int)}, but waits until there is room. A subscriber that died meanwhile is found out and not
     * waited for.
     */
    public final long claim(int messageLength) {
        long position;
        while ((position = tryClaim(messageLength)) < 0) {
            pause();
        }
        waiter.idle(1);
        return position;
    }

    /** As {@link #claim}, but gives up after {@code patience} and returns {@link #NO_ROOM}. */
    public final long tryClaim(int messageLength, Duration patience) {
        Objects.requireNonNull(patience, "patience");
        long position = tryClaim(messageLength);
        if (position < 0) {
            long start = System.nanoTime();
            long nanos = Patience.nanos(patience);
            while ((position = tryClaim(messageLength)) < 0 && System.nanoTime() - start < nanos) {
                pause();
            }
            waiter.idle(1);
        }
        return position;
    }

    private void pause() {
        if (waiter.idle(0) && refusals > FIRST_LOOK && (refusals & 3) == 0) {
            gates.look();
        }
    }

    /** Returns the memory of the channel. */
    public final MemorySegment memory() {
        return region.segment();
    }

    /** Returns where in {@link #memory} the message of the claim at {@code position} begins. */
    public final long messageOffset(long position) {
        return frames.offset(position) + Frame.HEADER_BYTES;
    }

    /**
     * Claims room, lets {@code writer} fill it and publishes it, or aborts it if the writer throws.
     *
     * @return whether there was room
     */
    public final <A> boolean tryPublishFrame(int messageLength, FrameWriter<? super A> writer, A attachment) {
        long position = tryClaim(messageLength);
        if (position < 0) {
            return false;
        }
        write(position, messageLength, writer, attachment);
        return true;
    }

    /** As {@link #tryPublishFrame}, but waits until there is room. */
    public final <A> void publishFrame(int messageLength, FrameWriter<? super A> writer, A attachment) {
        write(claim(messageLength), messageLength, writer, attachment);
    }

    private <A> void write(long position, int messageLength, FrameWriter<? super A> writer, A attachment) {
        try {
            writer.write(memory(), messageOffset(position), messageLength, attachment);
        } catch (Throwable e) {
            abort(position);
            throw e;
        }
        publish(position);
    }

    /** Publishes a copy of {@code message} if there is room; returns whether there was. */
    public final boolean tryPublish(MemorySegment message) {
        long position = tryClaim(length(message));
        if (position < 0) {
            return false;
        }
        copyAndPublish(message, position);
        return true;
    }

    /** Publishes a copy of {@code message}, and waits until there is room. */
    public final void publish(MemorySegment message) {
        copyAndPublish(message, claim(length(message)));
    }

    private int length(MemorySegment message) {
        return (int) Math.min(message.byteSize(), Integer.MAX_VALUE);
    }

    private void copyAndPublish(MemorySegment message, long position) {
        MemorySegment.copy(message, 0, memory(), messageOffset(position), message.byteSize());
        publish(position);
    }

    final int checkedFrameLength(int messageLength) {
        if (messageLength < 0 || messageLength > maxMessageLength()) {
            throw new IllegalArgumentException(
                    "a message of this channel has from 0 to " + maxMessageLength() + " bytes, not " + messageLength);
        }
        return messageLength + Frame.HEADER_BYTES;
    }

    /** Returns whether this may write up to {@code end}. */
    final boolean hasRoom(long end) {
        // Each time: who was taken for dead has a successor, which writes to the same places. A plain read leaves the
        // compiler what it knows of the memory; the acquire of the publication before keeps it from an older value.
        requireOwner(region.getLong(stateAt));
        return end <= limit || hasRoomNow(end);
    }

    final void requireOwned() {
        requireOwner(region.getLongAcquire(stateAt));
    }

    private void requireOwner(long found) {
        if (found != state) {
            throw new DetachedException("this publisher");
        }
    }

    private boolean hasRoomNow(long end) {
        limit = channel.limit().raise(end);
        if (end <= limit) {
            refusals = 0;
            gates.reset();
            return true;
        }
        refusals++;
        if (refusals == FIRST_LOOK || (refusals & LOOK_MASK) == 0) {
            gates.look();
        }
        return false;
    }

    final long limit() {
        return limit;
    }

    final void wakeSleepers() {
        bell.ring();
    }

    final IllegalStateException notOpen(long position) {
        return new IllegalStateException(
                "there is no open claim at " + position + "; claim first, and publish or abort once");
    }

    final IllegalStateException stillOpen(long position) {
        return new IllegalStateException("the claim at " + position + " is still open; publish or abort it first");
    }

    abstract void abortOpen();

    /** Aborts an open claim and leaves. Closing again does nothing. */
    @Override
    public final void close() {
        if (!closed) {
            closed = true;
            if (slot.isOwned()) {
                abortOpen();
            }
            limit = Long.MIN_VALUE;
            channel.leave(this, slot);
        }
    }
}
