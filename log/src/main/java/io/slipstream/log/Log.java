package io.slipstream.log;

import io.slipstream.log.event.Level;
import org.jspecify.annotations.Nullable;

/**
 * What a class logs through. Any thread may call it.
 *
 * <pre>{@code
 * private static final Log LOG = Log.of(Orders.class);
 * LOG.info("order {} filled at {}", id, price);
 * }</pre>
 *
 * <p>A call claims room in a ring, puts its arguments there as bytes and returns: no lock, no system call, and once
 * compiled no garbage, as boxes of numbers are not made where the call is compiled together with its caller. With four
 * arguments and more the compiler may compile it apart from its caller, which then makes the boxes; {@link #atInfo} and
 * its like never do. Objects become text at the call. A {@link Throwable} is logged with its trace, wherever it stands
 * among the arguments. A call never throws, whatever becomes of the log or of an argument.
 *
 * <p>It has a method for each level and number of arguments, since an array of arguments would be garbage.
 */
public final class Log {
    private static final int TRACE = 0;
    private static final int DEBUG = 1;
    private static final int INFO = 2;
    private static final int WARN = 3;
    private static final int ERROR = 4;

    /** Where the messages go. */
    final LogWriter writer;

    private final String name;
    private final SiteTable[] sites;
    /** The ordinal of the least level that is logged. */
    volatile int threshold;

    Log(String name, LogWriter writer, Level threshold) {
        this.name = name;
        this.writer = writer;
        this.threshold = threshold.ordinal();
        sites = new SiteTable[Level.OFF.ordinal()];
        for (int i = 0; i < sites.length; i++) {
            sites[i] = new SiteTable(writer.sites(), Level.of(i), name);
        }
    }

    /** Returns the log of a class in the log of this process. */
    public static Log of(Class<?> type) {
        return of(type.getName());
    }

    /** Returns the log of that name in the log of this process. */
    public static Log of(String name) {
        return LogSystem.shared().log(name);
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns the least level that is logged. */
    public Level threshold() {
        return Level.of(threshold);
    }

    void threshold(Level level) {
        threshold = level.ordinal();
    }

    /** Returns whether messages of this level are logged. */
    public boolean isEnabled(Level level) {
        return level != Level.OFF && level.ordinal() >= threshold;
    }

    int site(int level, @Nullable String message) {
        return sites[level].id(message);
    }

    /** Begins a message of this level, whose arguments are added one by one. */
    public LogMessage at(Level level, String message) {
        return isEnabled(level) ? LogMessage.begin(this, level.ordinal(), message) : LogMessage.ignored();
    }

    /** Begins a message; see {@link LogMessage}. */
    public LogMessage atTrace(String message) {
        return at(Level.TRACE, message);
    }

    /** Begins a message; see {@link LogMessage}. */
    public LogMessage atDebug(String message) {
        return at(Level.DEBUG, message);
    }

    /** Begins a message; see {@link LogMessage}. */
    public LogMessage atInfo(String message) {
        return at(Level.INFO, message);
    }

    /** Begins a message; see {@link LogMessage}. */
    public LogMessage atWarn(String message) {
        return at(Level.WARN, message);
    }

    /** Begins a message; see {@link LogMessage}. */
    public LogMessage atError(String message) {
        return at(Level.ERROR, message);
    }

    /** Logs a message with the first {@code count} of {@code arguments}; for adapters. */
    public void log(Level level, String message, @Nullable Object[] arguments, int count) {
        if (isEnabled(level)) {
            writer.writeAll(this, level.ordinal(), message, arguments, count);
        }
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

    /** Logs a message. */
    public void info(String message) {
        if (INFO >= threshold) {
            writer.write(this, INFO, message);
        }
    }

    /** Logs a message with an argument. */
    public void info(String message, @Nullable Object a) {
        if (INFO >= threshold) {
            writer.write(this, INFO, message, a);
        }
    }

    /** Logs a message with 2 arguments. */
    public void info(String message, @Nullable Object a, @Nullable Object b) {
        if (INFO >= threshold) {
            writer.write(this, INFO, message, a, b);
        }
    }

    /** Logs a message with 3 arguments. */
    public void info(String message, @Nullable Object a, @Nullable Object b, @Nullable Object c) {
        if (INFO >= threshold) {
            writer.write(this, INFO, message, a, b, c);
        }
    }

    /** Logs a message with 4 arguments. */
    public void info(String message, @Nullable Object a, @Nullable Object b, @Nullable Object c, @Nullable Object d) {
        if (INFO >= threshold) {
            writer.write(this, INFO, message, a, b, c, d);
        }
    }

    /** Logs a message with 5 arguments. */
    public void info(
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e) {
        if (INFO >= threshold) {
            writer.write(this, INFO, message, a, b, c, d, e);
        }
    }

    /** Logs a message with 6 arguments. */
    public void info(
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e,
            @Nullable Object f) {
        if (INFO >= threshold) {
            writer.write(this, INFO, message, a, b, c, d, e, f);
        }
    }

    /** Logs a message with 7 arguments. */
    public void info(
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e,
            @Nullable Object f,
            @Nullable Object g) {
        if (INFO >= threshold) {
            writer.write(this, INFO, message, a, b, c, d, e, f, g);
        }
    }

    /** Logs a message with 8 arguments. */
    public void info(
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e,
            @Nullable Object f,
            @Nullable Object g,
            @Nullable Object h) {
        if (INFO >= threshold) {
            writer.write(this, INFO, message, a, b, c, d, e, f, g, h);
        }
    }

    /** Logs a message. */
    public void warn(String message) {
        if (WARN >= threshold) {
            writer.write(this, WARN, message);
        }
    }

    /** Logs a message with an argument. */
    public void warn(String message, @Nullable Object a) {
        if (WARN >= threshold) {
            writer.write(this, WARN, message, a);
        }
    }

    /** Logs a message with 2 arguments. */
    public void warn(String message, @Nullable Object a, @Nullable Object b) {
        if (WARN >= threshold) {
            writer.write(this, WARN, message, a, b);
        }
    }

    /** Logs a message with 3 arguments. */
    public void warn(String message, @Nullable Object a, @Nullable Object b, @Nullable Object c) {
        if (WARN >= threshold) {
            writer.write(this, WARN, message, a, b, c);
        }
    }

    /** Logs a message with 4 arguments. */
    public void warn(String message, @Nullable Object a, @Nullable Object b, @Nullable Object c, @Nullable Object d) {
        if (WARN >= threshold) {
            writer.write(this, WARN, message, a, b, c, d);
        }
    }

    /** Logs a message with 5 arguments. */
    public void warn(
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e) {
        if (WARN >= threshold) {
            writer.write(this, WARN, message, a, b, c, d, e);
        }
    }

    /** Logs a message with 6 arguments. */
    public void warn(
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e,
            @Nullable Object f) {
        if (WARN >= threshold) {
            writer.write(this, WARN, message, a, b, c, d, e, f);
        }
    }

    /** Logs a message with 7 arguments. */
    public void warn(
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e,
            @Nullable Object f,
            @Nullable Object g) {
        if (WARN >= threshold) {
            writer.write(this, WARN, message, a, b, c, d, e, f, g);
        }
    }

    /** Logs a message with 8 arguments. */
    public void warn(
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e,
            @Nullable Object f,
            @Nullable Object g,
            @Nullable Object h) {
        if (WARN >= threshold) {
            writer.write(this, WARN, message, a, b, c, d, e, f, g, h);
        }
    }

    /** Logs a message. */
    public void error(String message) {
        if (ERROR >= threshold) {
            writer.write(this, ERROR, message);
        }
    }

    /** Logs a message with an argument. */
    public void error(String message, @Nullable Object a) {
        if (ERROR >= threshold) {
            writer.write(this, ERROR, message, a);
        }
    }

    /** Logs a message with 2 arguments. */
    public void error(String message, @Nullable Object a, @Nullable Object b) {
        if (ERROR >= threshold) {
            writer.write(this, ERROR, message, a, b);
        }
    }

    /** Logs a message with 3 arguments. */
    public void error(String message, @Nullable Object a, @Nullable Object b, @Nullable Object c) {
        if (ERROR >= threshold) {
            writer.write(this, ERROR, message, a, b, c);
        }
    }

    /** Logs a message with 4 arguments. */
    public void error(String message, @Nullable Object a, @Nullable Object b, @Nullable Object c, @Nullable Object d) {
        if (ERROR >= threshold) {
            writer.write(this, ERROR, message, a, b, c, d);
        }
    }

    /** Logs a message with 5 arguments. */
    public void error(
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e) {
        if (ERROR >= threshold) {
            writer.write(this, ERROR, message, a, b, c, d, e);
        }
    }

    /** Logs a message with 6 arguments. */
    public void error(
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e,
            @Nullable Object f) {
        if (ERROR >= threshold) {
            writer.write(this, ERROR, message, a, b, c, d, e, f);
        }
    }

    /** Logs a message with 7 arguments. */
    public void error(
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e,
            @Nullable Object f,
            @Nullable Object g) {
        if (ERROR >= threshold) {
            writer.write(this, ERROR, message, a, b, c, d, e, f, g);
        }
    }

    /** Logs a message with 8 arguments. */
    public void error(
            String message,
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e,
            @Nullable Object f,
            @Nullable Object g,
            @Nullable Object h) {
        if (ERROR >= threshold) {
            writer.write(this, ERROR, message, a, b, c, d, e, f, g, h);
        }
    }
}
