package io.slipstream.lab.tool;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Standard input as memory: mapped when it is a file ({@code < file}), copied when it is a pipe or a file of the
 * kernel's, which has no size. The descriptor is opened again through {@code /proc}, from the position at which the
 * shell handed it over. To be used and closed by one thread.
 */
public final class StandardInput implements AutoCloseable {
    private final Arena arena;
    private final MemorySegment bytes;
    private final boolean mapped;

    private StandardInput(Arena arena, MemorySegment bytes, boolean mapped) {
        this.arena = arena;
        this.bytes = bytes;
        this.mapped = mapped;
    }

    /**
     * Opens what is left of standard input.
     *
     * @throws IOException when standard input cannot be read
     */
    public static StandardInput open() throws IOException {
        return open(Path.of("/proc/self/fd/0"), Path.of("/proc/self/fdinfo/0"));
    }

    static StandardInput open(Path descriptor, Path info) throws IOException {
        Arena arena = Arena.ofConfined();
        try {
            if (Files.isRegularFile(descriptor) && Files.size(descriptor) > 0) {
                try (FileChannel file = FileChannel.open(descriptor, StandardOpenOption.READ)) {
                    long position = Math.min(position(info), file.size());
                    return new StandardInput(
                            arena,
                            file.map(FileChannel.MapMode.READ_ONLY, position, file.size() - position, arena),
                            true);
                }
            }
            byte[] all = new FileInputStream(FileDescriptor.in).readAllBytes();
            return new StandardInput(arena, MemorySegment.ofArray(all), false);
        } catch (IOException | RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    private static long position(Path info) throws IOException {
        if (!Files.exists(info)) {
            return 0;
        }
        String position = Files.readAllLines(info).stream()
                .filter(l -> l.startsWith("pos:"))
                .findFirst()
                .orElse("pos: 0");
        return Long.parseLong(position.substring("pos:".length()).trim());
    }

    /** What is left of standard input; valid until this is closed. */
    public MemorySegment bytes() {
        return bytes;
    }

    public boolean isMapped() {
        return mapped;
    }

    @Override
    public void close() {
        arena.close();
    }
}
