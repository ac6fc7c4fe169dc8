package io.slipstream.service.machine;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * Gives back what was written to a {@link StateOutput}, in the same order.
 *
 * <p>For the thread that was given it, during the call of {@link StateMachine#load} alone. Each method throws
 * {@link StateFormatException} if there are not enough bytes left, and {@link java.io.UncheckedIOException} if the
 * snapshot cannot be read; let both pass.
 */
public interface StateInput {
    /** Reads one byte. */
    byte readByte();

    /** Reads four bytes. */
    int readInt();

    /** Reads eight bytes. */
    long readLong();

    /** Reads {@code length} bytes into {@code memory}. */
    void read(MemorySegment memory, long offset, long length);

    /** Returns how many bytes there are left at most; an upper bound for what a length read from here can be. */
    long remaining();

    /**
     * Reads a byte.
     *
     * @throws StateFormatException if it is neither 0 nor 1
     */
    default boolean readBoolean() {
        byte value = readByte();
        if (value < 0 || value > 1) {
            throw new StateFormatException("a boolean is 0 or 1, not " + value);
        }
        return value == 1;
    }

    /** Reads eight bytes. */
    default double readDouble() {
        return Double.longBitsToDouble(readLong());
    }

    /**
     * Reads a number of bytes, as an int, and leaves the bytes to {@link #read}.
     *
     * @throws StateFormatException if there are fewer
     */
    default int readLength() {
        int length = readInt();
        if (length < 0 || length > remaining()) {
            throw new StateFormatException("there are no " + length + " bytes, only " + remaining() + " are left");
        }
        return length;
    }

    /**
     * Reads a number of bytes, as an int, and then so many bytes.
     *
     * @throws StateFormatException if there are fewer; nothing is allocated then
     */
    default byte[] readBytes() {
        int length = readLength();
        byte[] bytes = new byte[length];
        read(MemorySegment.ofArray(bytes), 0, length);
        return bytes;
    }

    /** Reads a text in UTF-8. */
    default String readString() {
        return new String(readBytes(), StandardCharsets.UTF_8);
    }
}
