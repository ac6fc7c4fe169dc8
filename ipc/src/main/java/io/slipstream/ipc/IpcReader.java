package io.slipstream.ipc;

import io.slipstream.core.frame.FrameHandler;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.ipc.errors.CorruptChannelException;
import io.slipstream.ipc.errors.DetachedException;
import io.slipstream.ipc.frame.Frames;
import io.slipstream.ipc.slot.Slot;

/** A party that reads: a subscriber or an observer. Owned by one thread. */
public abstract sealed class IpcReader implements AutoCloseable permits IpcSubscriber, IpcObserver {
    private static final int LOOK_MASK = 1023;

    final IpcChannel channel;
    final Frames frames;
    final Slot slot;
    long next;
    private int emptyPolls;
    private boolean closed;

    IpcReader(IpcChannel channel, Slot slot) {
        this.channel = channel;
        this.frames = channel.frames();
        this.slot = slot;
    }

    final Slot slot() {
        return slot;
    }

    /** Returns the position of the next message, or of what is skipped before it. */
    public final long position() {
        return next;
    }

    /** As {@link #poll(FrameHandler, int)}, with as many messages as the ring may hold. */
    public final int poll(FrameHandler handler) {
        return poll(handler, Integer.MAX_VALUE);
    }

    /**
     * Hands the messages that are there to {@code handler}, at most {@code most}. The memory that the handler gets is
     * valid only during the call. If the handler throws, the message counts as handled.
     *
     * @return how many there were
     * @throws CorruptChannelException if no publisher can have written what is there
     * @throws DetachedException       if this was closed, or its process has lost its kernel locks
     */
    public abstract int poll(FrameHandler handler, int most);

    /** Returns whether nothing is to be read now: neither a message nor skipped bytes. */
    public final boolean isEmpty() {
        return frames.length(next) == 0;
    }

    /**
     * Says that this thread is about to sleep in a way of its own, such as in a selector; the next publication then
     * runs what its publisher was given for that. Look at {@link #isEmpty} between this and the sleep, and call
     * {@link #disarm} afterwards. Not together with a waiter.
     */
    public final void arm() {
        channel.arm(slot);
    }

    /** Says that this thread is awake. */
    public final void disarm() {
        channel.disarm(slot);
    }

    /** Returns a waiter for the thread that polls this. Close it before this. */
    public final IpcWaiter newWaiter(WaitStrategy strategy) {
        return new IpcWaiter(channel.region(), this, strategy);
    }

    final void requireOwned() {
        if (!slot.isOwned()) {
            throw new DetachedException("this reader");
        }
    }

    final void nothingThere() {
        if ((++emptyPolls & LOOK_MASK) == 64) {
            lookForHole();
        }
    }

    /** Looks whether this waits for a claim of a publisher that is dead, and marks it as skipped then. */
    final void lookForHole() {
        int owner = frames.claimOwner(next);
        if (owner >= 0) {
            channel.repair(owner, next);
        }
    }

    /** Leaves; publishers wait for this no more. Closing again does nothing. */
    @Override
    public final void close() {
        if (!closed) {
            closed = true;
            channel.leave(this, slot);
        }
    }
}
