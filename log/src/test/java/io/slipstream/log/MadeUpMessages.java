package io.slipstream.log;

import io.slipstream.log.config.LogConfig;
import io.slipstream.log.event.Arguments;
import io.slipstream.log.event.Level;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A program that makes up its messages, on a heap that holds few of them. */
final class MadeUpMessages {
    static final int MESSAGES = 1_000_000;
    static final int LARGE = 500;
    static final int LOGGERS = 17;
    static final int LARGE_CHARACTERS = 150_000;

    private MadeUpMessages() {}

    /** Its trace is its name and message. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message, null, false, false);
        }
    }

    public static void main(String[] arguments) throws IOException {
        LogConfig config = LogConfig.file(Path.of(arguments[0]))
                .with("pattern", "%p %c %m {%k}%n")
                .with("roll.size", "10 GB")
                .with("full.wait", "10 min");
        try (LogSystem system = LogSystem.open(config)) {
            for (int i = 0; i < MESSAGES; i++) {
                Log log = system.log("l" + i % LOGGERS);
                Refused cause = new Refused("cause " + i);
                if (i % 2 == 0) {
                    log.error("order " + i + " failed {}", i, cause);
                } else {
                    @Nullable Object[] all = {i, Arguments.key("user"), "u" + i, cause};
                    log.log(Level.ERROR, "order " + i + " failed {}", all, all.length);
                }
            }
            String body = "x".repeat(LARGE_CHARACTERS);
            for (int i = 0; i < LARGE; i++) {
                system.log("large").info(i + body);
            }
            system.log("l0").error("a literal {}", 1, new Refused("the last"));
        }
        System.out.println("ended");
    }
}
