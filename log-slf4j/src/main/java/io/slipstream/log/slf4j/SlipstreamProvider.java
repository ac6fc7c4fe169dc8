package io.slipstream.log.slf4j;

import io.slipstream.log.Log;
import io.slipstream.log.LogSystem;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** Found by SLF4J; nobody else need know it. */
public final class SlipstreamProvider implements SLF4JServiceProvider {
    private static final String REQUESTED_API = "2.0.99";

    private final ConcurrentMap<String, Logger> loggers = new ConcurrentHashMap<>();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final ThreadContext context = new ThreadContext();

    private final Function<String, Log> logs;

    /** Called by SLF4J: on the log of this process. */
    public SlipstreamProvider() {
        logs = Log::of;
    }

    /** On another log than that of this process; its loggers are to be had from {@link #getLoggerFactory}. */
    public SlipstreamProvider(LogSystem system) {
        logs = system::log;
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return name -> {
            Logger known = loggers.get(name);
            return known != null
                    ? known
                    : loggers.computeIfAbsent(name, n -> new SlipstreamLogger(logs.apply(rootAsEmpty(n)), n, context));
        };
    }

    private static String rootAsEmpty(@Nullable String name) {
        return name == null || name.equals(Logger.ROOT_LOGGER_NAME) ? "" : name;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return context;
    }

    @Override
    public String getRequestedApiVersion() {
        return REQUESTED_API;
    }

    @Override
    public void initialize() {
        // Everything is there.
    }
}
