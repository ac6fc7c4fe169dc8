package io.slipstream.cluster.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Numbers the lives of a member's gateway: each greater than the one before, whatever the clock was set to meanwhile.
 */
public final class Lives {
    private static final String FILE = "member.life";

    private Lives() {}

    /** Begins a life, and returns its number: nanoseconds since 1970, unless the one before was later. */
    public static long next(Path directory, long epochNanos) throws IOException {
        long next = Math.max(epochNanos, last(directory) + 1);
        DurableText.write(directory, FILE, next + "\n");
        return next;
    }

    /** Notes that a life has been, so that the next one gets a greater number. */
    public static void been(Path directory, long life) throws IOException {
        if (life > last(directory)) {
            DurableText.write(directory, FILE, life + "\n");
        }
    }

    private static long last(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            return 0;
        }
        String text = Files.readString(file).strip();
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IOException(
                    file + " does not hold a number but '" + text + "'; remove it if the clock of this machine is"
                            + " right",
                    e);
        }
    }
}
