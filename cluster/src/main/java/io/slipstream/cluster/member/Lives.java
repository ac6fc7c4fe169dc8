package io.slipstream.cluster.member;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Numbers the lives of a member's gateway: each greater than the one before, whatever the clock was set to meanwhile.
 */
final class Lives {
    private static final String FILE = "member.life";

    private Lives() {}

    /** Begins a life, and returns its number: nanoseconds since 1970, unless the one before was later. */
    static long next(Path directory, long epochNanos) throws IOException {
        Path file = directory.resolve(FILE);
        long before = 0;
        if (Files.exists(file)) {
            String text = Files.readString(file).strip();
            try {
                before = Long.parseLong(text);
            } catch (NumberFormatException e) {
                throw new IOException(
                        file + " does not hold a number but '" + text + "'; remove it if the clock of"
                                + " this machine is right",
                        e);
            }
        }
        long next = Math.max(epochNanos, before + 1);
        Path draft = directory.resolve(FILE + ".new");
        // An interrupt closes a channel, but not this stream.
        try (FileOutputStream out = new FileOutputStream(draft.toFile())) {
            out.write((next + "\n").getBytes(StandardCharsets.US_ASCII));
            out.getFD().sync();
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        return next;
    }
}
