package io.slipstream.service.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * What a number of connections takes: a file descriptor and a few kilobytes of heap each. A process that finds out only
 * when they come serves nobody any more.
 */
public final class ConnectionBudget {
    /** Heap that a connection takes, with its channel and its key, generously. */
    static final int HEAP_BYTES = 4096;

    /** File descriptors for everything but connections: the log, the snapshots, the JVM. */
    static final int OTHER_FILES = 64;

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String OPEN_FILES = "Max open files";

    private ConnectionBudget() {}

    /**
     * Checks that this process can have so many connections.
     *
     * @throws IllegalArgumentException says what is in the way
     */
    public static void require(int maxConnections) {
        require(maxConnections, Runtime.getRuntime().maxMemory(), openFiles());
    }

    /**
     * Checks it for a process with other bounds.
     *
     * @param heapBytes most that the heap may have
     * @param openFiles how many file descriptors there may be, if that is known
     */
    static void require(int maxConnections, long heapBytes, OptionalLong openFiles) {
        long heap = (long) maxConnections * HEAP_BYTES;
        if (heap > heapBytes / 2) {
            throw new IllegalArgumentException("maxConnections " + maxConnections + " takes " + heap
                    + " bytes of heap, which is more than half of " + heapBytes + "; allow more with -Xmx, or fewer "
                    + "connections");
        }
        long files = (long) maxConnections + OTHER_FILES;
        if (openFiles.isPresent() && files > openFiles.getAsLong()) {
            throw new IllegalArgumentException("maxConnections " + maxConnections + " takes " + files
                    + " open files, and this process may have " + openFiles.getAsLong()
                    + "; raise the limit (ulimit -n, LimitNOFILE), or allow fewer connections");
        }
    }

    /** Returns how many files this process may have open, where the system tells. */
    private static OptionalLong openFiles() {
        if (!Files.isReadable(LIMITS)) {
            return OptionalLong.empty();
        }
        try {
            for (String line : Files.readAllLines(LIMITS)) {
                if (line.startsWith(OPEN_FILES)) {
                    String soft = line.substring(OPEN_FILES.length()).strip().split("\\s+")[0];
                    return soft.equals("unlimited") ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(soft));
                }
            }
        } catch (IOException | NumberFormatException e) {
            // Then the system tells when there are too many.
        }
        return OptionalLong.empty();
    }
}
