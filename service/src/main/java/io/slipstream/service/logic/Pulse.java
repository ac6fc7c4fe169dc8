package io.slipstream.service.logic;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.service.pressure.CommandKinds;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
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
    private int kind;
    private boolean isTimer;
    private long timer;
    private long dueNanos;
    private @Nullable Thread thread;

    private final CommandKinds kinds;

    Pulse(CommandKinds kinds) {
        this.kinds = kinds;
    }

    /** Notes that the calling thread is the logic's from here on. */
    public void here() {
        Thread current = Thread.currentThread();
        if (thread != current) {
            thread = current;
        }
    }

    /**
     * Notes that a message begins, whose header is at {@code offset}; {@code entry} is its sequence, or 0 if it is not
     * logged.
     */
    void begin(long entry, short ofType, MemorySegment memory, long offset) {
        sequence = entry;
        type = ofType;
        if (type == MessageType.COMMAND || type == MessageType.QUERY) {
            kind = kinds.kind(
                    memory, offset + Message.HEADER_BYTES, Frame.length(memory, offset) - Message.HEADER_BYTES);
        }
        isTimer = false;
        next();
    }

    /** Notes that a timer fires within the present entry, which was due at {@code atNanos} since 1970. */
    void timer(long id, long atNanos) {
        timer = id;
        dueNanos = atNanos;
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

    /** Returns whether a timer fires that was due with the entry, and not the entry itself. */
    boolean isTimer() {
        return isTimer;
    }

    /** Says what the logic is in: {@code command Deposit}, {@code a query}, or a timer with its number and time. */
    public String text() {
        if (isTimer) {
            return "timer " + timer + ", due at " + Instant.ofEpochSecond(0, dueNanos);
        }
        return switch (type) {
            case MessageType.COMMAND -> named("command");
            case MessageType.QUERY -> named("query");
            case MessageType.SUBSCRIBE -> "a subscription";
            case MessageType.HELLO -> "the opening of a session";
            case MessageType.BYE -> "the end of a session";
            case MessageType.START -> "the start of the service";
            case MessageType.CHECK -> "a check of the state";
            default -> "a message of type " + type;
        };
    }

    private String named(String what) {
        String name = kinds.kindName(kind);
        return name == null ? "a " + what : what + " " + name;
    }

    /** Returns the thread of the logic; null before its first message. */
    public @Nullable Thread thread() {
        return thread;
    }
}
