package io.slipstream.log;

import io.slipstream.log.config.LogConfig;
import java.nio.file.Path;

/**
 * Logs to the binary log in the folder that it is given, until it is killed, and prints now and then what it has
 * logged.
 */
final class Victim {
    private Victim() {}

    public static void main(String[] arguments) throws Exception {
        try (LogSystem system =
                LogSystem.open(LogConfig.journal(Path.of(arguments[0])).with("full.wait", "30 s"))) {
            Log log = system.log("a");
            for (int i = 0; i < 50_000_000; i++) {
                log.info("stream {} {} end{}", 0, i, i * 7);
                if (i % 1000 == 999) {
                    System.out.println(i);
                    System.out.flush();
                }
            }
        }
    }
}
