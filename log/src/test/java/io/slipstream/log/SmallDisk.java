package io.slipstream.log;

import io.slipstream.log.config.LogConfig;
import io.slipstream.log.tool.LogFilter;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Logs on a device of a few megabytes until it is full, makes room, and prints what became of it all. */
final class SmallDisk {
    private static final Duration LIMIT = Await.PATIENCE;
    private static final int BALLAST = 3 << 20;

    private SmallDisk() {}

    public static void main(String[] arguments) throws IOException {
        Path disk = Path.of(arguments[0]);
        Path text = disk.resolve("app.log");
        System.out.println(fill(LogConfig.file(text).with("pattern", "%m%n"), disk));
        System.out.println(
                Files.readString(text).contains("messages were lost: " + text + ": No space left on device")
                        ? "and told"
                        : "and not told");
        System.out.println(Files.readString(text).endsWith("found\n") ? "goes on" : "stands still");
        Files.delete(text);
        Path binary = disk.resolve("binary");
        System.out.println(
                fill(LogConfig.journal(binary).with("roll.size", "1 MB").with("keep.files", "1000"), disk));
        var lines = BinaryLogTest.show(binary, LogFilter.ALL, "%m%n");
        System.out.println(
                lines.stream().anyMatch(line -> line.contains("messages were lost: ")) ? "and told" : "and not told");
        System.out.println(lines.getLast().equals("found") ? "goes on" : "stands still");
    }

    /** Returns whether something was lost when the device was full, and nothing more once there was room. */
    private static String fill(LogConfig config, Path disk) throws IOException {
        Path ballast = Files.write(disk.resolve("ballast"), new byte[BALLAST]);
        try (LogSystem system = LogSystem.open(config.with("full.wait", "30 s").with("ring.size", "512 KB"))) {
            Log log = system.log("a");
            for (int i = 0; system.losses().lost() == 0; i++) {
                log.info("message {} of a program that goes on though the disk is full", i);
            }
            Files.delete(ballast);
            long lost;
            do {
                lost = system.losses().lost();
                log.info("found");
                system.flush(LIMIT);
            } while (system.losses().lost() > lost);
            log.info("found");
            system.flush(LIMIT);
            return "lost some";
        }
    }
}
