package io.slipstream.cli;

import io.slipstream.log.LogSystem;
import io.slipstream.log.config.LogConfig;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The log of the command: standard error, as the standard output is for its results; or what a file
 * {@value LogConfig#FILE_NAME} in the working directory says.
 */
final class LogToError {
    private LogToError() {}

    /** Before anything is logged. Nothing is opened yet. */
    static void install() {
        if (!Files.exists(Path.of(LogConfig.FILE_NAME))) {
            LogSystem.share(LogConfig.console().with("output", "stderr"));
        }
    }
}
