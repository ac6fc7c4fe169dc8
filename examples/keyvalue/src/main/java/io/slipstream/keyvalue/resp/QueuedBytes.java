package io.slipstream.keyvalue.resp;

import java.util.concurrent.atomic.AtomicLong;

/** How many bytes the commands have that wait for their EXEC, of all clients together; any thread. */
final class QueuedBytes {
    private final long most;
    private final AtomicLong bytes = new AtomicLong();

    QueuedBytes(long most) {
        this.most = most;
    }

    /** Returns whether there is room for so many more. */
    boolean hasRoom(long more) {
        return bytes.get() + more <= most;
    }

    /** Notes that there are more, or less. */
    void add(long change) {
        bytes.addAndGet(change);
    }
}
