package io.slipstream.core.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;

/** Facts about the cache lines that this library lays its memory out for. */
public final class CacheLine {
    /** Bytes in a cache line. */
    public static final int BYTES = 64;

    /** Distance in bytes that keeps two fields apart even when the processor prefetches lines in pairs. */
    public static final int PADDING_BYTES = 2 * BYTES;

    private static final Path OF_THIS_MACHINE =
            Path.of("/sys/devices/system/cpu/cpu0/cache/index0/coherency_line_size");

    private CacheLine() {}

    /**
     * Asks the system, which tells it on Linux. Where lines are longer than {@link #PADDING_BYTES}, fields that this
     * library keeps apart may share one: nothing breaks, but threads slow each other down.
     */
    public static OptionalInt bytesOfThisMachine() {
        try {
            return OptionalInt.of(
                    Integer.parseInt(Files.readString(OF_THIS_MACHINE).strip()));
        } catch (IOException | NumberFormatException e) {
            return OptionalInt.empty();
        }
    }
}
