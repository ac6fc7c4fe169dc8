package io.slipstream.service.logic;

import io.slipstream.core.frame.Frame;
import io.slipstream.service.machine.StateFormatException;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The last outputs of a session, kept for a client that comes back; the oldest go when all together have more bytes
 * than may be kept. Which ones are kept follows from the outputs alone, and not from where they lie: an outbox that was
 * saved and loaded keeps the same as the one that was saved.
 *
 * <p>A ring of frames in heap memory that doubles as needed, so that the many sessions that say little cost little. A
 * frame does not go around its end, so it may become twice as large as what is kept.
 */
final class Outbox {
    private static final int FIRST_CAPACITY = 512;

    private final int maxBytes;
    private MemorySegment memory;
    private int capacity;
    private int bytes;
    private long head;
    private long tail;
    private long lostSequence;
    private int lostIndex;

    /** Creates an outbox that keeps at most {@code maxBytes}, a power of two. */
    Outbox(int maxBytes) {
        this.maxBytes = maxBytes;
        this.capacity = Math.min(FIRST_CAPACITY, maxBytes);
        this.memory = heap(capacity);
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
        int aligned = Frame.align(length);
        if (aligned > maxBytes / 2) {
            clear();
            lost(source, offset);
            return;
        }
        makeRoom(aligned);
        long at = tail & (capacity - 1);
        // What is saved holds nothing of what was here before.
        for (int i = 1; i <= Frame.ALIGNMENT / Long.BYTES; i++) {
            memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at + aligned - (long) i * Long.BYTES, 0);
        }
        MemorySegment.copy(source, offset, memory, at, length);
        Frame.length(memory, at, length);
        tail += aligned;
        bytes += aligned;
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
            if (Message.sequence(memory, offset(position)) == sequence
                    && Message.index(memory, offset(position)) == index) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the offset in {@link #memory} of the first output after the given one, as a position; see {@link #next}.
     */
    long firstAfter(long sequence, int index) {
        long position = skipGap(head);
        while (position < tail
                && !isAfter(
                        Message.sequence(memory, offset(position)),
                        Message.index(memory, offset(position)),
                        sequence,
                        index)) {
            position = next(position);
        }
        return position;
    }

    /** Returns the position of the answer to {@code correlation}, or {@link #end}. */
    long answerTo(long correlation) {
        long position = skipGap(head);
        while (position < tail) {
            long offset = offset(position);
            if (Message.correlation(memory, offset) == correlation
                    && Message.type(memory, offset) != MessageType.EVENT) {
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
        return skipGap(position + Frame.align(Frame.length(memory, offset(position))));
    }

    /** Returns the memory, until the next {@link #add}. */
    MemorySegment memory() {
        return memory;
    }

    /** Returns the offset in {@link #memory} of the output at {@code position}. */
    long offset(long position) {
        return position & (capacity - 1);
    }

    /** Writes what is kept. */
    void save(StateOutput to) {
        to.writeLong(lostSequence);
        to.writeInt(lostIndex);
        to.writeInt(bytes);
        for (long position = skipGap(head); position < tail; position = next(position)) {
            to.write(memory, offset(position), Frame.align(Frame.length(memory, offset(position))));
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
        MemorySegment saved = heap(size);
        from.read(saved, 0, size);
        for (long at = 0; at < size; ) {
            int length = Frame.length(saved, at);
            if (length < Message.HEADER_BYTES || Frame.align(length) > size - at) {
                throw new StateFormatException("an output of " + length + " bytes in an outbox cannot be");
            }
            add(saved, at);
            at += Frame.align(length);
        }
    }

    private void makeRoom(int aligned) {
        while (bytes + aligned > maxBytes) {
            dropOldest();
        }
        while (true) {
            int toEnd = capacity - (int) (tail & (capacity - 1));
            int gap = aligned > toEnd ? toEnd : 0;
            if (tail + gap + aligned - head <= capacity) {
                if (gap > 0) {
                    Frame.length(memory, offset(tail), -gap);
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
        bytes -= Frame.align(Frame.length(memory, offset(head)));
        lost(memory, offset(head));
        head = next(head);
    }

    private void lost(MemorySegment source, long offset) {
        lostSequence = Message.sequence(source, offset);
        lostIndex = Message.index(source, offset);
    }

    private void clear() {
        head = tail;
        bytes = 0;
    }

    private void grow() {
        MemorySegment larger = heap(2 * capacity);
        long to = 0;
        for (long position = skipGap(head); position < tail; position = next(position)) {
            int aligned = Frame.align(Frame.length(memory, offset(position)));
            MemorySegment.copy(memory, offset(position), larger, to, aligned);
            to += aligned;
        }
        memory = larger;
        capacity *= 2;
        head = 0;
        tail = to;
    }

    private long skipGap(long position) {
        if (position < tail) {
            int length = Frame.length(memory, offset(position));
            if (length < 0) {
                return position - length;
            }
        }
        return position;
    }

    static boolean isAfter(long sequence, int index, long otherSequence, int otherIndex) {
        return sequence > otherSequence || (sequence == otherSequence && index > otherIndex);
    }

    private static MemorySegment heap(int bytes) {
        return MemorySegment.ofArray(new long[bytes / Long.BYTES]);
    }
}
