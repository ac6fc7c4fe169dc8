package io.slipstream.service.logic;

import io.slipstream.core.sequence.Sequence;
import org.jspecify.annotations.Nullable;

/**
 * What the logic does at present, for a thread that looks at it from outside: a state machine that loops says nothing
 * itself.
 *
 * <p>The logic's thread writes, with one ordered store for each message and each timer, and reads no clock. The number
 * of {@link #beat} is odd while the logic is in a message. Who sees one and the same odd number twice knows that the
 * logic has been in that message all the time, and may read what it is.
 */
public final class Pulse {
    private final Sequence beat = new Sequence(0);

    /* Written before the beat that they belong to. */
    private long sequence;
    private short type;
    private boolean isTimer;
    private long timer;
    private @Nullable Thread thread;

    Pulse() {}

    /** Notes that the calling thread is the logic's from here on. */
    public void here() {
        Thread current = Thread.currentThread();
        if (thread != current) {
            thread = current;
        }
    }

    /** Notes that a message begins; {@code entry} is its sequence, or 0 if it is not logged. */
    void begin(long entry, short ofType) {
        sequence = entry;
        type = ofType;
        isTimer = false;
        next();
    }

    /** Notes that a timer fires within the present entry. */
    void timer(long id) {
        timer = id;
        isTimer = true;
        next();
    }

    /** Notes that the message, or the last one of several, has ended. */
    public void rest() {
        long present = beat.getPlain();
        if ((present & 1) != 0) {
            beat.setRelease(present + 1);
        }
    }

    private void next() {
        beat.setRelease((beat.getPlain() + 2) | 1);
    }

    /** Returns a number that changes with each message and timer, and is odd within one; any thread. */
    public long beat() {
        return beat.getAcquire();
    }

    /** Returns the sequence of the log entry that the logic is in; 0 if that is not logged. */
    public long sequence() {
        return sequence;
    }

    /** Returns the type of that message. */
    public short type() {
        return type;
    }

    /** Returns whether a timer fires that was due with the entry, and not the entry itself. */
    public boolean isTimer() {
        return isTimer;
    }

    /** Returns the timer that fires. */
    public long timer() {
        return timer;
    }

    /** Returns the thread of the logic; null before its first message. */
    public @Nullable Thread thread() {
        return thread;
    }
}
