package io.slipstream.service.logic;

import io.slipstream.core.frame.Frame;
import io.slipstream.service.machine.StateFormatException;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The last outputs of a session, kept for a client that comes back; the oldest go when all together have more bytes
 * than may be kept. Which ones are kept follows from the outputs alone, and not from where they lie: an outbox that was
 * saved and loaded keeps the same as the one that was saved.
 *
 * <p>A ring of frames in an array that doubles as needed, so that the many sessions that say little cost little. A
 * frame does not go around its end, so it may become twice as large as what is kept. It is no memory segment: where the
 * accessors of {@link Message} meet segments of the heap as well as native ones, no call of them is inlined.
 */
final class Outbox {
    private static final int FIRST_CAPACITY = 512;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    private final int maxBytes;
    private byte[] ring;
    private int kept;
    private long head;
    private long tail;
    private long lostSequence;
    private int lostIndex;

    /** Creates an outbox that keeps at most {@code maxBytes}, a power of two. */
    Outbox(int maxBytes) {
        this.maxBytes = maxBytes;
        this.ring = new byte[Math.min(FIRST_CAPACITY, maxBytes)];
    }

    /**
     * Keeps a copy of the frame at {@code offset}. A frame longer than half of what may be kept is not kept, but
     * counted lost.
     */
    void add(MemorySegment source, long offset) {
        add(source, offset, Frame.length(source, offset));
    }

    /** The same for a frame of so many bytes, whose length is not written yet. */
    void add(MemorySegment source, long offset, int length) {
        int at = makeRoom(length);
        if (at < 0) {
            lost(Message.sequence(source, offset), Message.index(source, offset));
            return;
        }
        MemorySegment.copy(source, ValueLayout.JAVA_BYTE, offset, ring, at, length);
        INT.set(ring, at, length);
    }

    /** Returns whether an output after the given one was lost. */
    boolean missedAfter(long sequence, int index) {
        return isAfter(lostSequence, lostIndex, sequence, index);
    }

    /**
     * Returns whether somebody may have seen that output as the last one: it is kept, was lost since, or is none. Else
     * it was of another log, which went on where this one was left behind.
     */
    boolean mayBeSeen(long sequence, int index) {
        if (index == 0 || !isAfter(sequence, index, lostSequence, lostIndex)) {
            return true;
        }
        for (long position = skipGap(head); position < tail; position = next(position)) {
            if (sequence(position) == sequence && index(position) == index) {
                return true;
            }
        }
        return false;
    }

    /** Returns the position of the first output after the given one; see {@link #next}. */
    long firstAfter(long sequence, int index) {
        long position = skipGap(head);
        while (position < tail && !isAfter(sequence(position), index(position), sequence, index)) {
            position = next(position);
        }
        return position;
    }

    /** Returns the position of the answer to {@code correlation}, or {@link #end}. */
    long answerTo(long correlation) {
        long position = skipGap(head);
        while (position < tail) {
            int at = place(position);
            if ((long) LONG.get(ring, at + Message.CORRELATION_OFFSET) == correlation
                    && (short) SHORT.get(ring, at + Message.TYPE_OFFSET) != MessageType.EVENT) {
                return position;
            }
            position = next(position);
        }
        return position;
    }

    /** Returns the position behind the last output. */
    long end() {
        return tail;
    }

    /** Returns the position of the output behind the one at {@code position}. */
    long next(long position) {
        return skipGap(position + Frame.align(length(position)));
    }

    /** Returns the length of the output at {@code position}. */
    int length(long position) {
        return (int) INT.get(ring, place(position));
    }

    /** Returns the sequence of the command that the output at {@code position} belongs to. */
    long sequence(long position) {
        return (long) LONG.get(ring, place(position) + Message.SEQUENCE_OFFSET);
    }

    private int index(long position) {
        return (int) INT.get(ring, place(position) + Message.INDEX_OFFSET);
    }

    /** Copies the output at {@code position} without its first {@code skipped} bytes. */
    void copy(long position, int skipped, MemorySegment to, long offset) {
        MemorySegment.copy(
                ring, place(position) + skipped, to, ValueLayout.JAVA_BYTE, offset, length(position) - skipped);
    }

    /** Writes what is kept. */
    void save(StateOutput to) {
        to.writeLong(lostSequence);
        to.writeInt(lostIndex);
        to.writeInt(kept);
        MemorySegment memory = MemorySegment.ofArray(ring);
        for (long position = skipGap(head); position < tail; position = next(position)) {
            to.write(memory, place(position), Frame.align(length(position)));
        }
    }

    /** Reads what {@link #save} has written into this outbox, which must be new; what does not fit is lost. */
    void load(StateInput from) {
        lostSequence = from.readLong();
        lostIndex = from.readInt();
        int size = from.readInt();
        if (size < 0 || size > from.remaining()) {
            throw new StateFormatException("an outbox of " + size + " bytes cannot be");
        }
        byte[] saved = new byte[size];
        from.read(MemorySegment.ofArray(saved), 0, size);
        for (int at = 0; at < size; ) {
            int length = size - at < Message.HEADER_BYTES ? 0 : (int) INT.get(saved, at);
            if (length < Message.HEADER_BYTES || Frame.align(length) > size - at) {
                throw new StateFormatException("an output of " + length + " bytes in an outbox cannot be");
            }
            int to = makeRoom(length);
            if (to < 0) {
                lost((long) LONG.get(saved, at + Message.SEQUENCE_OFFSET), (int)
                        INT.get(saved, at + Message.INDEX_OFFSET));
            } else {
                System.arraycopy(saved, at, ring, to, length);
            }
            at += Frame.align(length);
        }
    }

    /** Returns where a frame of that length is to be written; negative if it is too long, and nothing is kept now. */
    private int makeRoom(int length) {
        int aligned = Frame.align(length);
        if (aligned > maxBytes / 2) {
            head = tail;
            kept = 0;
            return -1;
        }
        while (kept + aligned > maxBytes) {
            dropOldest();
        }
        skipEnd(aligned);
        int at = place(tail);
        // What is saved holds nothing of what was here before.
        Arrays.fill(ring, at + length, at + aligned, (byte) 0);
        tail += aligned;
        kept += aligned;
        return at;
    }

    /** Brings the tail to where so many bytes lie side by side. */
    private void skipEnd(int aligned) {
        while (true) {
            int toEnd = ring.length - place(tail);
            int gap = aligned > toEnd ? toEnd : 0;
            if (tail + gap + aligned - head <= ring.length) {
                if (gap > 0) {
                    INT.set(ring, place(tail), -gap);
                    tail += gap;
                }
                return;
            }
            // At most to twice of what is kept: there is one gap at most, shorter than the longest frame.
            grow();
        }
    }

    private void dropOldest() {
        head = skipGap(head);
        kept -= Frame.align(length(head));
        lost(sequence(head), index(head));
        head = next(head);
    }

    private void lost(long sequence, int index) {
        lostSequence = sequence;
        lostIndex = index;
    }

    private void grow() {
        byte[] larger = new byte[2 * ring.length];
        int to = 0;
        for (long position = skipGap(head); position < tail; position = next(position)) {
            int aligned = Frame.align(length(position));
            System.arraycopy(ring, place(position), larger, to, aligned);
            to += aligned;
        }
        ring = larger;
        head = 0;
        tail = to;
    }

    private int place(long position) {
        return (int) position & (ring.length - 1);
    }

    private long skipGap(long position) {
        if (position < tail) {
            int length = length(position);
            if (length < 0) {
                return position - length;
            }
        }
        return position;
    }

    static boolean isAfter(long sequence, int index, long otherSequence, int otherIndex) {
        return sequence > otherSequence || (sequence == otherSequence && index > otherIndex);
    }
}
