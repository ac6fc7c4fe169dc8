package io.slipstream.service.machine;

import java.lang.foreign.MemorySegment;

/**
 * A state machine that is told how long each of its commands and queries took, where a service serves clients: neither
 * in a replay, nor in the second machine that a snapshot is taken of, nor on a member of a cluster.
 *
 * <p>Since a replay does not tell it, neither the state nor what is answered to a command may depend on it. Answers to
 * queries may.
 */
public interface Timed {
    /**
     * A command or a query was done. Called on the machine's thread, right behind it.
     *
     * @param session that asked for it
     * @param memory  holds its payload, during this call
     * @param offset  where the payload begins
     * @param length  of the payload in bytes
     * @param nanos   how long it took, with what it had to say
     */
    void took(long session, MemorySegment memory, long offset, int length, long nanos);
}
