package io.slipstream.log;

import io.slipstream.log.config.LogConfig;
import io.slipstream.testkit.Opened;
import java.io.IOException;
import java.nio.file.Path;

/** A program in a container: it logs in all ways, and ends without the process. */
public final class Redeployed {
    private Redeployed() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        try (Opened opened = new Opened()) {
            LogSystem.share(LogConfig.file(folder.resolve("app.log")));
            opened.add(LogSystem.shared());
            logInAllWays(Log.of("a"));
            logInAllWays(opened.add(LogSystem.open(LogConfig.journal(folder.resolve("binary"))))
                    .log("a"));
        }
    }

    private static void logInAllWays(Log log) {
        for (int i = 0; i < 10; i++) {
            log.info("plain {}", i);
            log.atInfo("one by one {}").add(i).log();
            log.error("failed {}", i, new IOException("cause"));
            log.info("made up " + i);
        }
    }
}
