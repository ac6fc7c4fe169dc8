package io.slipstream.log.slf4j;

import io.slipstream.log.Log;
import io.slipstream.log.event.Arguments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;
import org.slf4j.event.LoggingEvent;
import org.slf4j.helpers.AbstractLogger;
import org.slf4j.spi.LoggingEventAware;

/** A log as SLF4J has it. Any thread may call it. */
final class SlipstreamLogger extends AbstractLogger implements LoggingEventAware {
    private static final long serialVersionUID = 1;
    private static final @Nullable Object[] NONE = {};

    private final transient Log log;
    private final transient ThreadContext context;

    SlipstreamLogger(Log log, String name, ThreadContext context) {
        this.log = log;
        this.context = context;
        this.name = name;
    }

    private static io.slipstream.log.event.Level ours(Level level) {
        return switch (level) {
            case TRACE -> io.slipstream.log.event.Level.TRACE;
            case DEBUG -> io.slipstream.log.event.Level.DEBUG;
            case INFO -> io.slipstream.log.event.Level.INFO;
            case WARN -> io.slipstream.log.event.Level.WARN;
            case ERROR -> io.slipstream.log.event.Level.ERROR;
        };
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            @Nullable String message,
            @Nullable Object @Nullable [] arguments,
            @Nullable Throwable throwable) {
        String text = message == null ? "null" : message;
        Map<String, String> values = context.current();
        if (marker == null && throwable == null && values == null) {
            @Nullable Object[] given = arguments == null ? NONE : arguments;
            log.log(ours(level), text, given, given.length);
            return;
        }
        List<@Nullable Object> all = new ArrayList<>();
        if (arguments != null) {
            all.addAll(Arrays.asList(arguments));
        }
        if (marker != null) {
            addPair(all, "marker", marker.getName());
        }
        addContext(all, values);
        if (throwable != null) {
            all.add(throwable);
        }
        log.log(ours(level), text, all.toArray(), all.size());
    }

    /** The fluent API, with its key-values. */
    @Override
    public void log(LoggingEvent event) {
        List<@Nullable Object> all = new ArrayList<>();
        if (event.getArguments() != null) {
            all.addAll(event.getArguments());
        }
        if (event.getMarkers() != null) {
            event.getMarkers().forEach(marker -> addPair(all, "marker", marker.getName()));
        }
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs != null) {
            pairs.forEach(pair -> addPair(all, pair.key, pair.value));
        }
        addContext(all, context.current());
        if (event.getThrowable() != null) {
            all.add(event.getThrowable());
        }
        String message = event.getMessage();
        log.log(ours(event.getLevel()), message == null ? "" : message, all.toArray(), all.size());
    }

    private static void addContext(List<@Nullable Object> all, @Nullable Map<String, String> values) {
        if (values != null) {
            values.forEach((key, value) -> addPair(all, key, value));
        }
    }

    private static void addPair(List<@Nullable Object> all, String key, @Nullable Object value) {
        all.add(Arguments.key(key));
        all.add(value);
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    public boolean isTraceEnabled() {
        return log.isEnabled(io.slipstream.log.event.Level.TRACE);
    }

    @Override
    public boolean isTraceEnabled(Marker marker) {
        return isTraceEnabled();
    }

    @Override
    public boolean isDebugEnabled() {
        return log.isEnabled(io.slipstream.log.event.Level.DEBUG);
    }

    @Override
    public boolean isDebugEnabled(Marker marker) {
        return isDebugEnabled();
    }

    @Override
    public boolean isInfoEnabled() {
        return log.isEnabled(io.slipstream.log.event.Level.INFO);
    }

    @Override
    public boolean isInfoEnabled(Marker marker) {
        return isInfoEnabled();
    }

    @Override
    public boolean isWarnEnabled() {
        return log.isEnabled(io.slipstream.log.event.Level.WARN);
    }

    @Override
    public boolean isWarnEnabled(Marker marker) {
        return isWarnEnabled();
    }

    @Override
    public boolean isErrorEnabled() {
        return log.isEnabled(io.slipstream.log.event.Level.ERROR);
    }

    @Override
    public boolean isErrorEnabled(Marker marker) {
        return isErrorEnabled();
    }
}
