package io.slipstream.log.slf4j;

import io.slipstream.log.Log;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Found by SLF4J; nobody else need know it. */
public final class SlipstreamProvider implements SLF4JServiceProvider {
    private static final String REQUESTED_API = "2.0.99";

    private final ConcurrentMap<String, Logger> loggers = new ConcurrentHashMap<>();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final ThreadContext context = new ThreadContext();

    /** Called by SLF4J. */
    public SlipstreamProvider() {
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return name -> {
            Logger known = loggers.get(name);
            return known != null ? known : loggers.computeIfAbsent(name,
                    n -> new SlipstreamLogger(Log.of(rootAsEmpty(n)), n, context));
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
