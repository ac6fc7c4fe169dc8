package io.slipstream.log.output;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What did not get into the log, and why. Any thread may count and ask. */
public final class Losses {
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicReference<@Nullable String> note = new AtomicReference<>();
    private volatile String reason = "";

    /** Creates one. */
    public Losses() {}

    /** Counts a message for which there was no room in the ring. */
    public void drop() {
        dropped.incrementAndGet();
    }

    /** Counts messages that could not be written. */
    public void lose(long messages, String why) {
        reason = why;
        lost.addAndGet(messages);
    }

    /** Counts messages that could not be written because something was thrown; there may be no memory to say so. */
    public void fail(long messages, String what, Throwable thrown) {
        String why = "there was no memory";
        try {
            why = what + ": " + thrown;
        } catch (OutOfMemoryError e) {
            // Said above.
        }
        lose(messages, why);
    }

    /** Leaves something to be told in the log though nothing is lost; it takes the place of what was not told yet. */
    public void note(String text) {
        note.set(text);
    }

    /** Returns what is to be told, and leaves nothing; null if there is nothing. */
    public @Nullable String takeNote() {
        return note.get() == null ? null : note.getAndSet(null);
    }

    /** Takes back what was counted for a notice of losses, which is none of the program's messages. */
    public void takeBack(long messages) {
        lost.addAndGet(-messages);
    }

    /** Returns how many messages were dropped because the ring was full, or the log closed. */
    public long dropped() {
        return dropped.get();
    }

    /** Returns how many messages could not be written. */
    public long lost() {
        return lost.get();
    }

    /** Returns why messages could not be written, the last time; empty if all could. */
    public String reason() {
        return reason;
    }

    @Override
    public String toString() {
        String why = reason;
        return dropped() + " dropped, " + lost() + " lost" + (why.isEmpty() ? "" : ": " + why);
    }
}
