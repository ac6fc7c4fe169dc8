package io.slipstream.lab;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a case asks of the machine before anything of it is written: memory in all, and room in directories. Files in
 * tmpfs need both.
 */
public final class Needs {
    /** What is left to others. */
    public static final long SPARED = 256L << 20;

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

    /**
     * Memory and room in words, with what must stay free beside them; empty when nothing is needed.
     *
     * @param rooms bytes by the directory that is to be named
     */
    public static String words(long memoryBytes, Map<Path, Long> rooms) {
        List<String> needed = new ArrayList<>();
        if (memoryBytes > 0) {
            needed.add(Figure.bytes(memoryBytes) + " of memory");
        }
        rooms.forEach((directory, bytes) -> needed.add(Figure.bytes(bytes) + " of room in " + directory));
        return needed.isEmpty()
                ? ""
                : String.join(", ", needed) + ", and " + Figure.bytes(SPARED) + (needed.size() > 1 ? " of each" : "")
                        + " must stay free";
    }

    /**
     * What there is too little of, with both figures, or null when nothing is.
     *
     * @param named how a directory is named to people, as one that is there when they read it
     */
    public @Nullable String lacking(UnaryOperator<Path> named) throws IOException {
        long available = availableMemory();
        long wanted = memoryBytes();
        if (wanted > 0 && available < wanted + SPARED) {
            return "needs " + words(wanted, Map.of()) + ", where " + Figure.bytes(available) + " are available";
        }
        for (Map.Entry<Path, Long> room : rooms.entrySet()) {
            long free = Files.getFileStore(room.getKey()).getUsableSpace();
            if (free < room.getValue() + SPARED) {
                return "needs " + words(0, Map.of(named.apply(room.getKey()), room.getValue())) + ", where "
                        + Figure.bytes(free) + " are free";
            }
        }
        return null;
    }

    /** What the kernel could give without swapping, and no more than a container's limit. */
    private static long availableMemory() throws IOException {
        long limit =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
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
