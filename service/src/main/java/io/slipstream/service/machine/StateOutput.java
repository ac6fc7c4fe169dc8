package io.slipstream.service.machine;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * Takes the bytes of a state that is being saved. {@link StateInput} gives them back in the same order.
 *
 * <p>Numbers are little-endian. For the thread that was given it, during the call of {@link StateMachine#save} alone.
 * Each method throws {@link java.io.UncheckedIOException} if the snapshot cannot be written; let it pass: the snapshot
 * is then given up, and the service goes on.
 */
public interface StateOutput {
    /** Writes one byte: the lowest eight bits of {@code value}. */
    void writeByte(int value);

    /** Writes four bytes. */
    void writeInt(int value);

    /** Writes eight bytes. */
    void writeLong(long value);

    /** Writes the {@code length} bytes from {@code offset} on, and not their number. */
    void write(MemorySegment memory, long offset, long length);

    /** Writes a byte, 1 for true. */
    default void writeBoolean(boolean value) {
        writeByte(value ? 1 : 0);
    }

    /** Writes eight bytes. */
    default void writeDouble(double value) {
        writeLong(Double.doubleToRawLongBits(value));
    }

    /** Writes the number of the bytes, as an int, and then the bytes. */
    default void writeBytes(byte[] bytes) {
        writeInt(bytes.length);
        write(MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    /** Writes the text in UTF-8, as {@link #writeBytes} does. */
    default void writeString(String text) {
        writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
