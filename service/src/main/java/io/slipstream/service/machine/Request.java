package io.slipstream.service.machine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A command or a query, seen where it lies. A service passes the same object with every call, so a state machine must
 * not keep it.
 */
public interface Request {
    /** Returns the memory that holds the payload; valid only during the call that got this request. */
    MemorySegment memory();

    /** Returns the offset of the payload in {@link #memory}. */
    long offset();

    /** Returns the length of the payload in bytes. */
    int length();

    /** Returns the session that sent it. */
    long session();

    /** Returns who has sent it, as the gateway has found out; empty if nobody was asked. */
    default String principal() {
        return "";
    }

    /** Returns the client's own number of it. */
    long correlation();

    /** Returns its place in the log; 0 for a query. */
    long sequence();

    /**
     * Returns the time of the log entry, in nanoseconds since 1970; 0 for a query, whose time is
     * {@link Output#timeNanos}. It never goes back. Entries that were made durable together have the same time, and so
     * may those that follow within the resolution of the machine's clock.
     */
    long timeNanos();

    /** Returns a copy of the payload. It is garbage once it was used: on a hot path read {@link #memory} instead. */
    default byte[] payload() {
        return memory().asSlice(offset(), length()).toArray(ValueLayout.JAVA_BYTE);
    }
}
