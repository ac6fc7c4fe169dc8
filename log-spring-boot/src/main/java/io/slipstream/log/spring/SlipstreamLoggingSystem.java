package io.slipstream.log.spring;

import io.slipstream.log.Log;
import io.slipstream.log.LogSystem;
import io.slipstream.log.config.LogConfig;
import io.slipstream.log.event.Level;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.logging.LogFile;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerConfiguration;
import org.springframework.boot.logging.LoggingInitializationContext;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.logging.LoggingSystemFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Found by Spring Boot where it is on the class path; nobody else need know it. Where messages go and in what form is
 * said by the settings of the log, as it is open before Spring has read its own.
 */
public final class SlipstreamLoggingSystem extends LoggingSystem {
    private final JdkBridge bridge = new JdkBridge();
    private @Nullable LogSystem followed;

    /** Named in {@code META-INF/spring.factories}; before those of Logback and Log4j, which may be there as well. */
    @Order(Ordered.HIGHEST_PRECEDENCE)
    public static final class Factory implements LoggingSystemFactory {
        /** Called by Spring Boot. */
        public Factory() {}

        @Override
        public LoggingSystem getLoggingSystem(ClassLoader classLoader) {
            return new SlipstreamLoggingSystem();
        }
    }

    /** Called by Spring Boot. */
    public SlipstreamLoggingSystem() {}

    @Override
    public void beforeInitialize() {
        bridge.install();
    }

    @Override
    public void initialize(
            LoggingInitializationContext context, @Nullable String configLocation, @Nullable LogFile logFile) {
        Log log = Log.of(SlipstreamLoggingSystem.class);
        if (configLocation != null && !configLocation.isBlank()) {
            log.warn(
                    "logging.config = {} has no effect: name the settings by -D{} or {}, or put them into {}",
                    configLocation,
                    LogConfig.PROPERTY,
                    LogConfig.VARIABLE,
                    LogConfig.FILE_NAME);
        }
        if (logFile != null) {
            log.warn(
                    "logging.file.name = {} has no effect: set output = file and path in {}",
                    logFile,
                    LogConfig.FILE_NAME);
        }
        LogSystem system = LogSystem.shared();
        system.afterLevels(() -> bridge.follow(system));
        followed = system;
        bridge.follow(system);
    }

    @Override
    public void cleanUp() {
        LogSystem system = followed;
        if (system != null) {
            system.afterLevels(null);
            followed = null;
        }
        bridge.remove();
    }

    @Override
    public Set<LogLevel> getSupportedLogLevels() {
        return EnumSet.complementOf(EnumSet.of(LogLevel.FATAL));
    }

    @Override
    public void setLogLevel(@Nullable String loggerName, @Nullable LogLevel level) {
        String name = ours(loggerName);
        LogSystem system = LogSystem.shared();
        if (level == null) {
            system.inheritLevel(name);
        } else {
            system.level(name, ours(level));
        }
    }

    @Override
    public List<LoggerConfiguration> getLoggerConfigurations() {
        LogSystem system = LogSystem.shared();
        Map<String, Level> levels = system.levels();
        Set<String> names = new TreeSet<>(Comparator.naturalOrder());
        names.add("");
        names.addAll(system.names());
        names.addAll(levels.keySet());
        return names.stream().map(name -> configuration(name, levels)).toList();
    }

    @Override
    public LoggerConfiguration getLoggerConfiguration(@Nullable String loggerName) {
        return configuration(ours(loggerName), LogSystem.shared().levels());
    }

    private static LoggerConfiguration configuration(String name, Map<String, Level> levels) {
        Level own = levels.get(name);
        LogLevel effective = theirs(LogSystem.shared().threshold(name));
        return new LoggerConfiguration(
                name.isEmpty() ? ROOT_LOGGER_NAME : name, own == null ? null : theirs(own), effective);
    }

    private static String ours(@Nullable String name) {
        return name == null || name.equals(ROOT_LOGGER_NAME) ? "" : name;
    }

    private static Level ours(LogLevel level) {
        return switch (level) {
            case TRACE -> Level.TRACE;
            case DEBUG -> Level.DEBUG;
            case INFO -> Level.INFO;
            case WARN -> Level.WARN;
            case ERROR, FATAL -> Level.ERROR;
            case OFF -> Level.OFF;
        };
    }

    private static LogLevel theirs(Level level) {
        return switch (level) {
            case TRACE -> LogLevel.TRACE;
            case DEBUG -> LogLevel.DEBUG;
            case INFO -> LogLevel.INFO;
            case WARN -> LogLevel.WARN;
            case ERROR -> LogLevel.ERROR;
            case OFF -> LogLevel.OFF;
        };
    }
}
