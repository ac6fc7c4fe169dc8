package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.resp.Reply;

/** Who asks, and how to reach somebody else. */
interface Sessions {
    /** Returns the session of the present command. */
    long session();

    /** Returns how many bytes a session can be sent at once. */
    int longest(long session);

    /** Sends a session what it did not ask for. */
    void push(long session, Reply message);

    /** Sends a session the answer that it waits for. */
    void answer(long session, Reply answer);

    /** Has {@link Blocked#expire} called with a session at that time, in milliseconds since 1970. */
    void wakeAt(long session, long atMillis);

    /** Takes that back. */
    void cancelWake(long session);
}
