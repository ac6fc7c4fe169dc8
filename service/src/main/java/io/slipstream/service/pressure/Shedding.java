package io.slipstream.service.pressure;

import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.MemorySegment;

/**
 * Says which requests a service does without first, from {@link PressureGauge.Level#SHEDDING} on. What is shed is
 * refused as busy, with a time to come back.
 *
 * <p>Called by a gateway's thread for each request while there is pressure: it must be quick, and throw nothing.
 */
@FunctionalInterface
public interface Shedding {
    /** Sheds queries, and no command. */
    Shedding QUERIES = (type, memory, offset, length) -> type == MessageType.QUERY;

    /** Sheds nothing: all is taken as long as there is room. */
    Shedding NOTHING = (type, memory, offset, length) -> false;

    /**
     * Returns whether this request can be done without.
     *
     * @param type   of the request, one of {@link MessageType}
     * @param memory where its payload is, from {@code offset} on; valid during the call
     */
    boolean sheds(short type, MemorySegment memory, long offset, int length);
}
