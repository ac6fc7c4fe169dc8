package io.slipstream.log;

import io.slipstream.log.config.LogConfig;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;

/**
 * Follows the file of the settings: levels that change there change in the running program. Everything else waits for
 * the next start.
 */
final class LevelsFile {
    private final @Nullable Path file;
    private final LogSystem system;
    private @Nullable FileTime seen;

    LevelsFile(LogConfig config, LogSystem system) {
        this.file = config.source();
        this.system = system;
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
            LogConfig.load(file).levels().forEach(system::level);
        } catch (IOException | IllegalArgumentException e) {
            system.log("io.slipstream.log").warn("the levels stay as they are: {}", e.getMessage());
        }
    }
}
