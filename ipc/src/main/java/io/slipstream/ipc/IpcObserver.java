package io.slipstream.ipc;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.frame.FrameHandler;
import io.slipstream.core.memory.Region;
import io.slipstream.ipc.errors.CorruptChannelException;
import io.slipstream.ipc.frame.Landmarks;
import io.slipstream.ipc.slot.Limit;
import io.slipstream.ipc.slot.Slot;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * Reads the messages of a channel without holding publishers up, or only for as long as it has said: it copies each
 * message, and then makes sure that it was not overwritten meanwhile. What it has missed it counts.
 *
 * <p>One that publishers wait for keeps its place when its process is stopped, until their patience ends; when it goes
 * on, it finds out that it was dropped, counts what it has missed, and they wait for it again.
 *
 * <p>Owned by one thread.
 */
public final class IpcObserver extends IpcReader {
    private static final int FIRST_BUFFER = 4096;

    private final Limit limit;
    private final Landmarks landmarks;
    private Region buffer = Region.allocate(FIRST_BUFFER);
    private long missed;
    private long drops;

    IpcObserver(IpcChannel channel, Slot slot, long start) {
        super(channel, slot);
        this.limit = channel.limit();
        this.landmarks = channel.landmarks();
        this.next = start;
    }

    /** Returns how many bytes of frames, headers and padding included, were overwritten before they could be read. */
    public long missedBytes() {
        return missed;
    }

    /** Returns how often publishers have lost their patience with this. */
    public long drops() {
        return drops;
    }

    @Override
    public int poll(FrameHandler handler, int most) {
        requireOwned();
        if (slot.isDropped()) {
            rejoin();
        }
        int count = 0;
        try {
            while (count < most) {
                int length = copyNext();
                if (length == 0) {
                    break;
                }
                count++;
                handler.onFrame(buffer.segment(), 0, length, count == most || !isThere(next));
            }
        } finally {
            slot.position(next);
        }
        if (count == 0) {
            nothingThere();
        }
        return count;
    }

    /** Copies the next frame to the buffer and moves behind it; returns its length, or 0 if there is none. */
    private int copyNext() {
        while (true) {
            if (isOverwritten()) {
                goOn(limit.oldestKept() + frames.capacity() / 4);
            }
            int length;
            try {
                length = frames.length(next);
                if (length == 0 && !isOverwritten()) {
                    return 0;
                }
            } catch (CorruptChannelException e) {
                if (isOverwritten()) {
                    continue;
                }
                throw e;
            }
            if (length > 0) {
                MemorySegment.copy(frames.region().segment(), frames.offset(next), bufferOf(length), 0, length);
            }
            if (!isOverwritten()) {
                next += length < 0 ? -length : Frame.align(length);
                if (length > 0) {
                    return length;
                }
            }
        }
    }

    private boolean isThere(long position) {
        try {
            return frames.length(position) > 0;
        } catch (CorruptChannelException e) {
            return true;
        }
    }

    private boolean isOverwritten() {
        VarHandle.loadLoadFence();
        return next < limit.oldestKept();
    }

    private void goOn(long oldest) {
        long kept = limit.oldestKept();
        long tail = frames.tail();
        if (tail < kept) {
            throw new CorruptChannelException(tail, "the channel ends there, and is overwritten up to " + kept);
        }
        long left = Math.max(next, landmarks.from(Math.max(0, oldest), tail));
        missed += left - next;
        next = left;
    }

    private void rejoin() {
        drops++;
        if (isOverwritten()) {
            goOn(limit.oldestKept() + frames.capacity() / 4);
        }
        slot.position(next);
        slot.rejoin();
        VarHandle.fullFence();
        if (next < limit.oldestAnnounced()) {
            goOn(limit.oldestAnnounced());
            slot.position(next);
        }
    }

    private MemorySegment bufferOf(int length) {
        if (buffer.byteSize() < length) {
            buffer.close();
            buffer = Region.allocate(Math.min(frames.longest(), Integer.highestOneBit(length - 1) << 1));
        }
        return buffer.segment();
    }
}
