package io.slipstream.log.slf4j;

import io.slipstream.log.Log;
import io.slipstream.log.LogSystem;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
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

    private final ConcurrentMap<String, Named> loggers = new ConcurrentHashMap<>();
    private final ReferenceQueue<Logger> collected = new ReferenceQueue<>();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final ThreadContext context = new ThreadContext();

    private final Function<String, Log> logs;

    /** The logger of that name, as long as the program keeps it. */
    private static final class Named extends WeakReference<Logger> {
        private final String name;

        Named(String name, Logger logger, ReferenceQueue<Logger> collected) {
            super(logger, collected);
            this.name = name;
        }
    }

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
        return this::logger;
    }

    private Logger logger(String name) {
        Logger known = known(name);
        return known != null ? known : make(name);
    }

    private @Nullable Logger known(String name) {
        Named known = loggers.get(name);
        return known == null ? null : known.get();
    }

    private synchronized Logger make(String name) {
        for (Reference<? extends Logger> each = collected.poll(); each != null; each = collected.poll()) {
            loggers.remove(((Named) each).name, each);
        }
        Logger made = known(name);
        if (made == null) {
            made = new SlipstreamLogger(logs.apply(rootAsEmpty(name)), name, context);
            loggers.put(name, new Named(name, made, collected));
        }
        return made;
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
