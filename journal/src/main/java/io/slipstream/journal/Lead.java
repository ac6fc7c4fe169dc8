package io.slipstream.journal;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Who commits for a {@link GroupCommit}: one member at a time. Any thread. */
class Lead {
    private final AtomicBoolean taken = new AtomicBoolean();

    /** Returns whether the caller leads from now on, because nobody did. */
    boolean take() {
        return !taken.get() && taken.compareAndSet(false, true);
    }

    /** Gives the lead back. */
    void release() {
        taken.set(false);
    }

    /**
     * Wakes one of those who have come since the lead was taken, who may sleep already: only now can another one lead.
     */
    void handOver(GroupCommit.@Nullable Member next) {
        if (next != null) {
            next.wake();
        }
    }
}
