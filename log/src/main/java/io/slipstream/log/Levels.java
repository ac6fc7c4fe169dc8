package io.slipstream.log;

import io.slipstream.log.event.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Thresholds by the names of loggers: that of the longest name which is the logger's own or one above it, by dots. */
final class Levels {
    private final Map<String, Level> byName;

    Levels(Map<String, Level> byName) {
        this.byName = new ConcurrentHashMap<>(byName);
    }

    Map<String, Level> all() {
        return Map.copyOf(byName);
    }

    void set(String name, Level level) {
        byName.put(name, level);
    }

    void remove(String name) {
        byName.remove(name);
    }

    Level of(String logger) {
        String name = logger;
        while (true) {
            Level level = byName.get(name);
            if (level != null) {
                return level;
            }
            if (name.isEmpty()) {
                return Level.INFO;
            }
            name = name.substring(0, Math.max(0, name.lastIndexOf('.')));
        }
    }
}
