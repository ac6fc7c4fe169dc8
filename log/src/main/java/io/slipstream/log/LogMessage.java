package io.slipstream.log;

import io.slipstream.log.event.Arguments;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * A message whose arguments are added one by one, each with its own type. No box is ever made, whatever the compiler
 * does, which the calls with four arguments and more of {@link Log} cannot promise.
 *
 * <pre>{@code
 * LOG.atInfo("order {} of {}: {} at {}, {} left").add(id).add(customer).add(amount).add(price).add(left).log();
 * }</pre>
 *
 * <p>Each thread has one, which the next {@link Log#atInfo} uses again: finish it with {@link #log} at once, and keep
 * no reference. It takes eight arguments; more are left out. Objects become text when they are added, but for a
 * {@link StringBuilder}, which must stay as it is until {@link #log}. Nothing throws.
 */
public final class LogMessage {
    private static final int MOST = 8;
    /** Weak, so that a thread which outlives the program's class loader keeps it from nothing. */
    private static final ThreadLocal<@Nullable WeakReference<LogMessage>> OF_THREAD = new ThreadLocal<>();

    /** Takes the arguments of what is not logged; it keeps none, so all threads may share it. */
    private static final LogMessage IGNORED = new LogMessage();

    private final @Nullable Object[] kinds = new Object[MOST];
    private final long[] bits = new long[MOST];
    private @Nullable Log log;
    private int level;
    private String message = "";
    private int count;
    private boolean isAdding;

    private LogMessage() {}

    static LogMessage ignored() {
        return IGNORED;
    }

    static LogMessage begin(Log log, int level, String message) {
        LogMessage own = ofThread();
        // A toString that logs finds the message under way to which it is to be added.
        LogMessage begun = own.isAdding ? new LogMessage() : own;
        begun.log = log;
        begun.level = level;
        begun.message = message;
        begun.count = 0;
        return begun;
    }

    private static LogMessage ofThread() {
        WeakReference<LogMessage> kept = OF_THREAD.get();
        LogMessage own = kept == null ? null : kept.get();
        if (own == null) {
            own = new LogMessage();
            OF_THREAD.set(new WeakReference<>(own));
        }
        return own;
    }

    /** Adds a whole number. */
    public LogMessage add(long value) {
        return put(Arguments.whole(), value);
    }

    /** Adds a number. */
    public LogMessage add(double value) {
        return put(Arguments.floating(), Double.doubleToRawLongBits(value));
    }

    /** Adds a number of single precision, which is written shorter. */
    public LogMessage add(float value) {
        return put(Arguments.single(), Float.floatToRawIntBits(value));
    }

    /** Adds a character. */
    public LogMessage add(char value) {
        return put(Arguments.letter(), value);
    }

    /** Adds {@code true} or {@code false}. */
    public LogMessage add(boolean value) {
        return put(value, 0);
    }

    /** Adds an object as its text, or a {@link Throwable} with its trace. */
    public LogMessage add(@Nullable Object value) {
        Log to = log;
        if (to == null || count == MOST) {
            return this;
        }
        isAdding = true;
        try {
            return put(Arguments.prepared(Arguments.kind(value), to.writer.textSize()), Arguments.bits(value));
        } finally {
            isAdding = false;
        }
    }

    /** Logs it. */
    public void log() {
        Log to = log;
        if (to == null) {
            return;
        }
        log = null;
        to.writer.put(
                to, level, message, count, kinds[0], kinds[1], kinds[2], kinds[3], kinds[4], kinds[5], kinds[6],
                kinds[7], bits[0], bits[1], bits[2], bits[3], bits[4], bits[5], bits[6], bits[7]);
        for (int i = 0; i < count; i++) {
            kinds[i] = null;
        }
    }

    private LogMessage put(@Nullable Object kind, long value) {
        if (log != null && count < MOST) {
            kinds[count] = kind;
            bits[count++] = value;
        }
        return this;
    }
}
