package io.slipstream.lab;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a case asks of the machine before anything of it is written: memory in all, and room in directories. Files in
 * tmpfs need both.
 */
public final class Needs {
    /** What is left to others. */
    private static final long SPARED = 256L << 20;

    private static final Path MEMORY = Path.of("/proc/meminfo");

    private final Map<Path, Long> rooms = new LinkedHashMap<>();
    private long heapBytes;
    private long memoryBytes;

    /** Those of a case with a heap of so many bytes. */
    Needs(long heapBytes) {
        this.heapBytes = heapBytes;
    }

    void setHeap(long bytes) {
        heapBytes = bytes;
    }

    void addMemory(long bytes) {
        memoryBytes = Math.addExact(memoryBytes, bytes);
    }

    void addRoom(Path directory, long bytes) {
        rooms.merge(directory, bytes, Math::addExact);
    }

    /** The heap and what is needed beside it. */
    public long memoryBytes() {
        return Math.addExact(heapBytes, memoryBytes);
    }

    /** Bytes by directory. */
    public Map<Path, Long> rooms() {
        return rooms;
    }

    /** What there is too little of, with both figures, or null when nothing is. */
    public @Nullable String lacking() throws IOException {
        long available = availableMemory();
        long wanted = memoryBytes();
        if (wanted > 0 && available < wanted + SPARED) {
            return "needs " + Figure.bytes(wanted + SPARED) + " of memory, and " + Figure.bytes(available)
                    + " are available";
        }
        for (Map.Entry<Path, Long> room : rooms.entrySet()) {
            long free = Files.getFileStore(room.getKey()).getUsableSpace();
            if (free < room.getValue() + SPARED) {
                return "needs " + Figure.bytes(room.getValue() + SPARED) + " of room at " + room.getKey() + ", where "
                        + Figure.bytes(free) + " are free";
            }
        }
        return null;
    }

    /** What the kernel could give without swapping, and no more than a container's limit. */
    private static long availableMemory() throws IOException {
        long limit = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                .getTotalMemorySize();
        if (!Files.isReadable(MEMORY)) {
            return limit;
        }
        long available = Files.readAllLines(MEMORY).stream()
                .filter(line -> line.startsWith("MemAvailable:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                .findFirst()
                .orElse(limit);
        return Math.min(available, limit);
    }
}
