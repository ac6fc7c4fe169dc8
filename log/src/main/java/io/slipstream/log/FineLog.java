package io.slipstream.log;

import io.slipstream.log.event.Level;
import org.jspecify.annotations.Nullable;

/** What the calls of all levels share, and those of the two finest levels; see {@link Log}. */
public abstract sealed class FineLog permits Log {
    private static final int TRACE = 0;
    private static final int DEBUG = 1;

    /** Where the messages go. */
    final LogWriter writer;

    private final String name;
    private final SiteTable[] sites;
    /** The ordinal of the least level that is logged. */
    volatile int threshold;

    FineLog(String name, LogWriter writer, Level threshold) {
        this.name = name;
        this.writer = writer;
        this.threshold = threshold.ordinal();
        sites = new SiteTable[Level.OFF.ordinal()];
        for (int i = 0; i < sites.length; i++) {
            sites[i] = new SiteTable(writer.sites(), Level.of(i), name);
        }
    }

    /** Returns the name. */
    public final String name() {
        return name;
    }

    /** Returns the least level that is logged. */
    public final Level threshold() {
        return Level.of(threshold);
    }

    final void threshold(Level level) {
        threshold = level.ordinal();
    }

    /** Returns whether messages of this level are logged. */
    public final boolean isEnabled(Level level) {
        return level != Level.OFF && level.ordinal() >= threshold;
    }

    final int site(int level, @Nullable String message) {
        return sites[level].id(message);
    }

    /** Begins a message of this level, whose arguments are added one by one. */
    public final LogMessage at(Level level, String message) {
        return isEnabled(level) ? LogMessage.begin(this, level.ordinal(), message) : LogMessage.ignored();
    }

    /** Begins a message; see {@link LogMessage}. */
    public final LogMessage atTrace(String message) {
        return at(Level.TRACE, message);
    }

    /** Begins a message; see {@link LogMessage}. */
    public final LogMessage atDebug(String message) {
        return at(Level.DEBUG, message);
    }

    /** Begins a message; see {@link LogMessage}. */
    public final LogMessage atInfo(String message) {
        return at(Level.INFO, message);
    }

    /** Begins a message; see {@link LogMessage}. */
    public final LogMessage atWarn(String message) {
        return at(Level.WARN, message);
    }

    /** Begins a message; see {@link LogMessage}. */
    public final LogMessage atError(String message) {
        return at(Level.ERROR, message);
    }

    /** Logs a message. */
    public void trace(String message) {
        if (TRACE >= threshold) {
            writer.write(this, TRACE, message);
        }
    }

    /** Logs a message with an argument. */
    public void trace(String message, @Nullable Object a) {
        if (TRACE >= threshold) {
            writer.write(this, TRACE, message, a);
        }
    }

    /** Logs a message with 2 arguments. */
    public void trace(String message, @Nullable Object a, @Nullable Object b) {
        if (TRACE >= threshold) {
            writer.write(this, TRACE, message, a, b);
        }
    }

    /** Logs a message with 3 arguments. */
    public void trace(String message, @Nullable Object a, @Nullable Object b, @Nullable Object c) {
        if (TRACE >= threshold) {
            writer.write(this, TRACE, message, a, b, c);
        }
    }

    /** Logs a message with 4 arguments. */
    public void trace(String message, @Nullable Object a, @Nullable Object b, @Nullable Object c, @Nullable Object d) {
        if (TRACE >= threshold) {
            writer.write(this, TRACE, message, a, b, c, d);
        }
    }

    /** Logs a message with 5 arguments. */
    public void trace(
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e) {
        if (TRACE >= threshold) {
            writer.write(this, TRACE, message, a, b, c, d, e);
        }
    }

    /** Logs a message with 6 arguments. */
    public void trace(
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e,
            @Nullable Object f) {
        if (TRACE >= threshold) {
            writer.write(this, TRACE, message, a, b, c, d, e, f);
        }
    }

    /** Logs a message with 7 arguments. */
    public void trace(
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e,
            @Nullable Object f,
            @Nullable Object g) {
        if (TRACE >= threshold) {
            writer.write(this, TRACE, message, a, b, c, d, e, f, g);
        }
    }

    /** Logs a message with 8 arguments. */
    public void trace(
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e,
            @Nullable Object f,
            @Nullable Object g,
            @Nullable Object h) {
        if (TRACE >= threshold) {
            writer.write(this, TRACE, message, a, b, c, d, e, f, g, h);
        }
    }

    /** Logs a message. */
    public void debug(String message) {
        if (DEBUG >= threshold) {
            writer.write(this, DEBUG, message);
        }
    }

    /** Logs a message with an argument. */
    public void debug(String message, @Nullable Object a) {
        if (DEBUG >= threshold) {
            writer.write(this, DEBUG, message, a);
        }
    }

    /** Logs a message with 2 arguments. */
    public void debug(String message, @Nullable Object a, @Nullable Object b) {
        if (DEBUG >= threshold) {
            writer.write(this, DEBUG, message, a, b);
        }
    }

    /** Logs a message with 3 arguments. */
    public void debug(String message, @Nullable Object a, @Nullable Object b, @Nullable Object c) {
        if (DEBUG >= threshold) {
            writer.write(this, DEBUG, message, a, b, c);
        }
    }

    /** Logs a message with 4 arguments. */
    public void debug(String message, @Nullable Object a, @Nullable Object b, @Nullable Object c, @Nullable Object d) {
        if (DEBUG >= threshold) {
            writer.write(this, DEBUG, message, a, b, c, d);
        }
    }

    /** Logs a message with 5 arguments. */
    public void debug(
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e) {
        if (DEBUG >= threshold) {
            writer.write(this, DEBUG, message, a, b, c, d, e);
        }
    }

    /** Logs a message with 6 arguments. */
    public void debug(
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e,
            @Nullable Object f) {
        if (DEBUG >= threshold) {
            writer.write(this, DEBUG, message, a, b, c, d, e, f);
        }
    }

    /** Logs a message with 7 arguments. */
    public void debug(
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e,
            @Nullable Object f,
            @Nullable Object g) {
        if (DEBUG >= threshold) {
            writer.write(this, DEBUG, message, a, b, c, d, e, f, g);
        }
    }

    /** Logs a message with 8 arguments. */
    public void debug(
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e,
            @Nullable Object f,
            @Nullable Object g,
            @Nullable Object h) {
        if (DEBUG >= threshold) {
            writer.write(this, DEBUG, message, a, b, c, d, e, f, g, h);
        }
    }
}
