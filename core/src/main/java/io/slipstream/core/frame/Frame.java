package io.slipstream.core.frame;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The header that every frame begins with, wherever it is: in a ring, in a journal, on a socket, in shared memory.
 *
 * <pre>
 *    0               4               8
 *   +---------------+---------------+----------------------- - -
 *   | length (int)  |  tag (int)    | message ...
 *   +---------------+---------------+----------------------- - -
 * </pre>
 *
 * <p>All numbers are little-endian. The length counts header and message, without the padding that brings the next
 * frame to a multiple of {@link #ALIGNMENT}. A negative length marks {@code -length} bytes to be skipped: the unused
 * end of a ring, or an aborted claim. The tag belongs to whoever publishes; the journal keeps its checksum there.
 */
public final class Frame {
    /** Offset of the length. */
    public static final int LENGTH_OFFSET = 0;

    /** Offset of the tag. */
    public static final int TAG_OFFSET = 4;

    /** Bytes of the header; the message begins here. */
    public static final int HEADER_BYTES = 8;

    /** Frames begin at multiples of this many bytes. */
    public static final int ALIGNMENT = 16;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Frame() {}

    /** Returns the length of the frame at {@code offset}; negative for bytes to be skipped. */
    public static int length(MemorySegment memory, long offset) {
        return memory.get(INT, offset + LENGTH_OFFSET);
    }

    /** Writes the length of the frame at {@code offset}. */
    public static void length(MemorySegment memory, long offset, int length) {
        memory.set(INT, offset + LENGTH_OFFSET, length);
    }

    /** Returns the tag of the frame at {@code offset}. */
    public static int tag(MemorySegment memory, long offset) {
        return memory.get(INT, offset + TAG_OFFSET);
    }

    /** Writes the tag of the frame at {@code offset}. */
    public static void tag(MemorySegment memory, long offset, int tag) {
        memory.set(INT, offset + TAG_OFFSET, tag);
    }

    /** Returns how far it is from a frame with this length in its header to the next one, be it skipped or read. */
    public static int size(int length) {
        return length < 0 ? -length : align(length);
    }

    /** Returns {@code length} rounded up to the next multiple of {@link #ALIGNMENT}. */
    public static int align(int length) {
        return (length + (ALIGNMENT - 1)) & -ALIGNMENT;
    }
}
