package io.slipstream.log.tool;

import io.slipstream.log.event.Level;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which events to show.
 *
 * @param level     the least level
 * @param logger    the name of a logger, or of one above it; empty for all
 * @param fromNanos the first time, in nanoseconds since 1970
 * @param toNanos   the last time
 * @param text      what the line must have somewhere, or null
 */
public record LogFilter(
        Level level,
        String logger,
        long fromNanos,
        long toNanos,
        @Nullable Pattern text) {
    /** Everything. */
    public static final LogFilter ALL = new LogFilter(Level.TRACE, "", Long.MIN_VALUE, Long.MAX_VALUE, null);

    boolean takes(Level ofEvent, String ofLogger, long nanos) {
        return ofEvent.compareTo(level) >= 0
                && nanos >= fromNanos
                && nanos <= toNanos
                && (logger.isEmpty() || ofLogger.equals(logger) || ofLogger.startsWith(logger + "."));
    }

    boolean finds(String line) {
        return text == null || text.matcher(line).find();
    }
}
