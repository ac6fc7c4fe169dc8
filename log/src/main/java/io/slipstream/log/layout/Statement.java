package io.slipstream.log.layout;

import io.slipstream.log.event.Level;
import io.slipstream.log.event.Site;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A site as layouts need it: names as bytes, the message in parts. */
public final class Statement {
    final Level level;
    final byte[] levelName;
    final byte[] logger;
    final byte[][] parts;
    /** What the layout that was used last has prepared; for the thread that writes. */
    PatternLayout.@Nullable Line line;

    /** Prepares a site. */
    public Statement(Site site) {
        level = site.level();
        levelName = level.name().getBytes(StandardCharsets.UTF_8);
        logger = site.logger().getBytes(StandardCharsets.UTF_8);
        parts = site.parts();
    }

    /** Returns the level. */
    public Level level() {
        return level;
    }
}
