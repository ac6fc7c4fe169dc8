package io.slipstream.log;

import io.slipstream.log.config.LogConfig;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Logs to a standard output on a device of a few megabytes until it is full, makes room, and tells what was lost. */
final class SmallConsole {
    private static final int BALLAST = 7 << 20;
    private static final int FOUND = 50;

    private SmallConsole() {}

    public static void main(String[] arguments) throws IOException {
        Path ballast = Files.write(Path.of(arguments[0], "ballast"), new byte[BALLAST]);
        LogConfig config = LogConfig.console().with("pattern", "%m%n").with("full.wait", "30 s");
        try (LogSystem system = LogSystem.open(config)) {
            Log log = system.log("a");
            for (int i = 0; system.losses().lost() == 0; i++) {
                log.info("message {} of a program that goes on though the disk is full", i);
            }
            long before;
            do {
                before = system.losses().lost();
                log.info("still full");
                system.flush(Await.PATIENCE);
            } while (system.losses().lost() == before);
            Files.delete(ballast);
            system.flush(Await.PATIENCE);
            long lost = system.losses().lost();
            for (int i = 0; i < FOUND; i++) {
                log.info("found {}", i);
                system.flush(Await.PATIENCE);
            }
            System.err.println(system.losses().lost() == lost ? "lost no more" : "lost more");
        }
    }
}
