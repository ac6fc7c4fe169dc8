package io.slipstream.log;

import io.slipstream.log.config.LogConfig;
import java.io.IOException;
import java.nio.file.Path;

/** A program in a container: it logs in all ways, and ends without the process. */
public final class Redeployed {
    private Redeployed() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        LogSystem.share(LogConfig.file(folder.resolve("app.log")));
        logInAllWays(Log.of("a"));
        LogSystem.shared().close();
        try (LogSystem binary = LogSystem.open(LogConfig.journal(folder.resolve("binary")))) {
            logInAllWays(binary.log("a"));
        }
    }

    private static void logInAllWays(Log log) {
        for (int i = 0; i < 10; i++) {
            log.info("plain {}", i);
            log.atInfo("one by one {}").add(i).log();
            log.error("failed {}", i, new Exception("cause"));
            log.info("made up " + i);
        }
    }
}
