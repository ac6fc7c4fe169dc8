package io.slipstream.log.layout;

import io.slipstream.log.event.Event;
import io.slipstream.log.event.Level;
import io.slipstream.log.event.Site;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A site as layouts need it: names as bytes, the message in parts. */
public final class Statement {
    final Level level;
    final String loggerName;
    final byte[] levelName;
    final byte[] logger;
    final byte[][] parts;
    /** What the layout that was used last has prepared; for the thread that writes. */
    PatternLayout.@Nullable Line line;

    /** Prepares a site. */
    public Statement(Site site) {
        this(site.level(), site.logger(), site.parts());
    }

    private Statement(Level level, String logger, byte[][] parts) {
        this.level = level;
        this.loggerName = logger;
        this.levelName = level.name().getBytes(StandardCharsets.UTF_8);
        this.logger = logger.getBytes(StandardCharsets.UTF_8);
        this.parts = parts;
    }

    /** Stands for a logger's events that have their messages in their own arguments. */
    static Statement ofTexts(Level level, String logger) {
        return new Statement(level, logger, Event.OWN_MESSAGE);
    }

    /** Returns the name of the logger. */
    public String logger() {
        return loggerName;
    }

    /** Returns the level. */
    public Level level() {
        return level;
    }
}
