package io.slipstream.log;

import io.slipstream.log.config.LogConfig;
import java.io.IOException;
import java.nio.file.Path;

/** Logs what has no text where the stack is used up, at each depth, and then where it is not. */
final class DeepStack {
    private final Log log;

    private DeepStack(Log log) {
        this.log = log;
    }

    @Override
    public String toString() {
        throw new UnsupportedOperationException("no text");
    }

    private void deeper() {
        try {
            deeper();
        } catch (StackOverflowError e) {
            try {
                log.info("deep {}", this);
            } catch (StackOverflowError again) {
                // There is no room for a call.
            }
            throw e;
        }
    }

    private void toTheEnd() {
        try {
            deeper();
        } catch (StackOverflowError e) {
            // As it is to be.
        }
    }

    public static void main(String[] arguments) throws IOException {
        LogConfig config =
                LogConfig.file(Path.of(arguments[0])).with("pattern", "%m%n").with("full.wait", "30 s");
        try (LogSystem system = LogSystem.open(config)) {
            Log log = system.log("a");
            new DeepStack(log).toTheEnd();
            log.info("last {}", new DeepStack(log));
            log.error("and {}", 1, new Exception("the cause"));
        }
    }
}
