package io.slipstream.log.spring;

import io.slipstream.log.LogSystem;
import io.slipstream.log.event.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.logging.Logger;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * What is logged by {@code java.util.logging}, as Tomcat does, goes to SLF4J. Levels are set there as well: a message
 * that it does not take never gets here. Any thread may call it.
 */
final class JdkBridge {
    /** Kept, as the JDK forgets loggers that nobody keeps, and their levels with them. */
    private final Map<String, Logger> leveled = new HashMap<>();

    JdkBridge() {}

    void install() {
        if (!SLF4JBridgeHandler.isInstalled()) {
            SLF4JBridgeHandler.removeHandlersForRootLogger();
            SLF4JBridgeHandler.install();
        }
    }

    void remove() {
        SLF4JBridgeHandler.uninstall();
    }

    /** Gives the JDK's loggers the levels of the log, and takes away those that it has no longer. */
    synchronized void follow(LogSystem system) {
        Map<String, Level> levels = system.levels();
        leveled.entrySet().removeIf(each -> {
            boolean isGone = !levels.containsKey(each.getKey());
            if (isGone) {
                each.getValue().setLevel(each.getKey().isEmpty() ? java.util.logging.Level.INFO : null);
            }
            return isGone;
        });
        levels.forEach((name, level) ->
                leveled.computeIfAbsent(name, Logger::getLogger).setLevel(theirs(level)));
    }

    private static java.util.logging.Level theirs(Level level) {
        return switch (level) {
            case TRACE -> java.util.logging.Level.FINEST;
            case DEBUG -> java.util.logging.Level.FINE;
            case INFO -> java.util.logging.Level.INFO;
            case WARN -> java.util.logging.Level.WARNING;
            case ERROR -> java.util.logging.Level.SEVERE;
            case OFF -> java.util.logging.Level.OFF;
        };
    }
}
