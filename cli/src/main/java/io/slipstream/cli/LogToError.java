package io.slipstream.cli;

import io.slipstream.log.LogSystem;
import io.slipstream.log.config.LogConfig;
import java.io.IOException;

/** The log of the command: standard error, as the standard output is for its results; or what settings say. */
final class LogToError {
    private LogToError() {}

    /** Before anything is logged. Nothing is opened yet. */
    static void install() {
        try {
            LogSystem.share(LogConfig.find(LogConfig.console().with("output", "stderr")));
        } catch (IOException | IllegalArgumentException e) {
            // Looked for again, and told, when the log is opened.
        }
    }
}
