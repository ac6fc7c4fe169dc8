package io.slipstream.service.security;

import java.lang.foreign.MemorySegment;

/** What a principal may do; asked by a gateway's thread for each request, so it must not wait for anything. */
@FunctionalInterface
public interface Rights {
    /** Everything. */
    Rights ALL = (type, memory, offset, length) -> true;

    /**
     * Returns whether the request may get in.
     *
     * @param type   of the message, one of {@link io.slipstream.service.protocol.MessageType}
     * @param memory holds the payload
     * @param offset where it begins
     * @param length how many bytes it has
     */
    boolean permits(short type, MemorySegment memory, long offset, int length);
}
