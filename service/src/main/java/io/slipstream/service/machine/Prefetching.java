package io.slipstream.service.machine;

import java.lang.foreign.MemorySegment;

/**
 * A state machine that brings what its next commands and queries need into the processor's cache. Where the state is
 * larger than the cache, most of the time of a command is waiting for memory, and one wait for a batch of them takes
 * little longer than one for each.
 *
 * <p>It is a hint, which a service gives for commands and queries that arrived together, and a replay for most
 * commands. A member of a cluster and a backup site give none. Neither the state nor an answer may depend on it: only
 * read here. An exception is a defect of the machine, and ends the service.
 */
public interface Prefetching {
    /** How many payloads {@link #expect} is called with at most before {@link #prefetch}. */
    int MOST = 16;

    /**
     * A command or a query comes soon, but perhaps another one comes before. Called on the machine's thread.
     *
     * @param memory holds its payload, during this call
     * @param offset where the payload begins
     * @param length of the payload in bytes, which nobody has looked at: of any client, and perhaps no command
     */
    void expect(MemorySegment memory, long offset, int length);

    /** Those that {@link #expect} was called with are about to be done. Called on the machine's thread. */
    void prefetch();
}
