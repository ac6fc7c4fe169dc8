package io.slipstream.service.spi;

import java.lang.foreign.MemorySegment;

/**
 * The bytes that go to the client of one connection, in the order in which they are written. They are sent together at
 * the end of the gateway's round. Use it only within a call of {@link Conversation}.
 */
public interface Responses {
    /** Returned by {@link #claim} when the client has left too much unread; it is disconnected. */
    long NO_ROOM = -1;

    /**
     * Makes room for {@code length} bytes behind those written before, and counts them as written. Fill them at once.
     *
     * @return their offset in {@link #memory}, or {@link #NO_ROOM}
     */
    long claim(int length);

    /**
     * Returns how many bytes may be claimed before the client is disconnected. A language whose answers are long lets
     * requests wait ({@link Conversation#WAIT}) whose answers may not fit, instead of losing a client that reads more
     * slowly than it asks; the requests are looked at again when the client has read.
     */
    int room();

    /** Returns the memory that the last {@link #claim} gave an offset in; each claim may change it. */
    MemorySegment memory();

    /** Writes a copy of some bytes. */
    default void write(MemorySegment source, long offset, int length) {
        long at = claim(length);
        if (at != NO_ROOM) {
            MemorySegment.copy(source, offset, memory(), at, length);
        }
    }

    /** Writes a copy of {@code bytes}. */
    default void write(byte[] bytes) {
        write(MemorySegment.ofArray(bytes), 0, bytes.length);
    }
}
