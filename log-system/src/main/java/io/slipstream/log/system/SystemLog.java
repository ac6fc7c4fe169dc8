package io.slipstream.log.system;

import io.slipstream.log.Log;
import java.text.MessageFormat;
import java.util.MissingResourceException;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * A log as the JDK has it. Its messages are in the form of {@link MessageFormat} and are made where they are logged.
 * The log behind it is looked
 * up when first used, as the JDK may ask for a logger before it can run anything else.
 */
final class SystemLog implements System.Logger {
    private static final String AS_IS = "{}";

    private static final ThreadLocal<Boolean> OPENING = ThreadLocal.withInitial(() -> false);

    private final String name;
    private volatile @Nullable Log log;

    SystemLog(String name) {
        this.name = name;
    }

    /** Returns the log behind it; null to what is logged by whoever opens that log, on the same thread. */
    private @Nullable Log log() {
        Log known = log;
        if (known == null && !OPENING.get()) {
            OPENING.set(true);
            try {
                known = Log.of(name);
                log = known;
            } finally {
                OPENING.remove();
            }
        }
        return known;
    }

    private static io.slipstream.log.event.Level ours(System.Logger.Level level) {
        return switch (level) {
            case ALL, TRACE -> io.slipstream.log.event.Level.TRACE;
            case DEBUG -> io.slipstream.log.event.Level.DEBUG;
            case INFO -> io.slipstream.log.event.Level.INFO;
            case WARNING -> io.slipstream.log.event.Level.WARN;
            case ERROR -> io.slipstream.log.event.Level.ERROR;
            case OFF -> io.slipstream.log.event.Level.OFF;
        };
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public boolean isLoggable(System.Logger.Level level) {
        Log known = log();
        return level != System.Logger.Level.OFF && known != null && known.isEnabled(ours(level));
    }

    @Override
    public void log(
            System.Logger.Level level,
            @Nullable ResourceBundle bundle,
            @Nullable String message,
            @Nullable Throwable thrown) {
        Log known = log();
        if (known != null && isLoggable(level)) {
            @Nullable Object[] arguments = {translated(bundle, message), thrown};
            known.log(ours(level), AS_IS, arguments, thrown == null ? 1 : 2);
        }
    }

    @Override
    public void log(
            System.Logger.Level level,
            @Nullable ResourceBundle bundle,
            @Nullable String format,
            @Nullable Object @Nullable ... parameters) {
        Log known = log();
        if (known != null && isLoggable(level)) {
            @Nullable Object[] arguments = {formatted(translated(bundle, format), parameters)};
            known.log(ours(level), AS_IS, arguments, 1);
        }
    }

    private static @Nullable String translated(@Nullable ResourceBundle bundle, @Nullable String key) {
        try {
            return bundle == null || key == null ? key : bundle.getString(key);
        } catch (MissingResourceException | ClassCastException e) {
            return key;
        }
    }

    private static @Nullable String formatted(@Nullable String format, @Nullable Object @Nullable [] parameters) {
        if (format == null || parameters == null || parameters.length == 0) {
            return format;
        }
        try {
            return MessageFormat.format(format, parameters);
        } catch (RuntimeException e) {
            return format;
        }
    }
}
