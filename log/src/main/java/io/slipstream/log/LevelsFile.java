package io.slipstream.log;

import io.slipstream.log.config.LogConfig;
import io.slipstream.log.event.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Follows the file of the settings: levels that change there change in the running program, and those that are no
 * longer there end. Everything else waits for the next start.
 */
final class LevelsFile {
    private final @Nullable Path file;
    private final LogSystem system;
    private Map<String, Level> given;
    private @Nullable FileTime seen;

    LevelsFile(LogConfig config, LogSystem system) {
        this.file = config.source();
        this.system = system;
        this.given = config.levels();
        this.seen = modified();
    }

    private @Nullable FileTime modified() {
        try {
            return file == null ? null : Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return null;
        }
    }

    /** Looks whether the file has changed; a file that is wrong or gone changes nothing, and says so. */
    void look() {
        FileTime modified = modified();
        if (file == null || modified == null || modified.equals(seen)) {
            return;
        }
        seen = modified;
        try {
            Map<String, Level> now = LogConfig.load(file).levels();
            given.keySet().stream().filter(name -> !now.containsKey(name)).forEach(system::inheritLevel);
            now.forEach(system::level);
            given = now;
        } catch (IOException | IllegalArgumentException e) {
            system.log("io.slipstream.log").warn("the levels stay as they are: {}", e.getMessage());
        }
    }
}
