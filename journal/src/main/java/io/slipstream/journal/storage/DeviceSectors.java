package io.slipstream.journal.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * How large the physical sectors of a device are: what it writes whole or not at all. Blocks of a journal must not be
 * smaller; see {@link io.slipstream.journal.config.JournalConfig#withBlockBytes}.
 */
public final class DeviceSectors {
    private static final Path DEVICES = Path.of("/sys/dev/block");
    private static final String SIZE = "queue/physical_block_size";

    private DeviceSectors() {}

    /**
     * Returns the bytes of a physical sector of the device that holds {@code file}, which may not exist yet; empty if
     * the system does not say: not Linux, or a file system without a block device of its own, such as overlay or tmpfs.
     */
    public static OptionalInt bytes(Path file) {
        for (Path existing = file.toAbsolutePath(); existing != null; existing = existing.getParent()) {
            if (Files.exists(existing)) {
                return ofExisting(existing);
            }
        }
        return OptionalInt.empty();
    }

    private static OptionalInt ofExisting(Path file) {
        try {
            return Files.getAttribute(file, "unix:dev") instanceof Long device
                    ? ofDevice(DEVICES, device)
                    : OptionalInt.empty();
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return OptionalInt.empty();
        }
    }

    /** Looks a device number up as the C library packs it; a partition has its queue beside it. */
    static OptionalInt ofDevice(Path devices, long device) throws IOException {
        long major = device >>> 8 & 0xfff | device >>> 32 & ~0xfff;
        long minor = device & 0xff | device >>> 12 & ~0xff;
        Path link = devices.resolve(major + ":" + minor);
        if (!Files.exists(link)) {
            return OptionalInt.empty();
        }
        Path found = link.toRealPath();
        Path own = found.resolve(SIZE);
        Path size = Files.exists(own) ? own : found.resolve("..").normalize().resolve(SIZE);
        return Files.exists(size)
                ? OptionalInt.of(Integer.parseInt(Files.readString(size).strip()))
                : OptionalInt.empty();
    }
}
