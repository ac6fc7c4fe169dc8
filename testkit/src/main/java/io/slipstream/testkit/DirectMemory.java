package io.slipstream.testkit;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/**
 * What counts against the JVM's limit of direct memory: direct buffers and the segments of automatic arenas.
 *
 * <p>The test needs {@code --add-modules java.management}.
 */
public final class DirectMemory {
    private DirectMemory() {}

    /** Returns how many bytes count at present. */
    public static long bytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}
