package io.slipstream.http.monitor;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;

/** The JVM of the gateway as metrics, under the names that Prometheus' own client gives them. */
final class Jvm {
    private static final double SECOND_MILLIS = 1e3;
    private static final double SECOND_NANOS = 1e9;

    private Jvm() {}

    static void appendTo(StringBuilder text) {
        memory(text);
        header(text, "jvm_buffer_pool_used_bytes", "gauge", "Memory of direct and of mapped buffers.");
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            value(text, "jvm_buffer_pool_used_bytes{pool=\"" + pool.getName() + "\"}", pool.getMemoryUsed());
        }
        header(text, "jvm_gc_collection_seconds", "summary", "Time of the garbage collector.");
        for (GarbageCollectorMXBean gc : ManagementFactory.getGarbageCollectorMXBeans()) {
            String labels = "{gc=\"" + gc.getName() + "\"}";
            value(text, "jvm_gc_collection_seconds_count" + labels, Math.max(0, gc.getCollectionCount()));
            value(text, "jvm_gc_collection_seconds_sum" + labels, Math.max(0, gc.getCollectionTime()) / SECOND_MILLIS);
        }
        header(text, "jvm_threads_current", "gauge", "Platform threads that are alive.");
        value(text, "jvm_threads_current", ManagementFactory.getThreadMXBean().getThreadCount());
        header(text, "process_start_time_seconds", "gauge", "When the process began, in seconds since 1970.");
        value(
                text,
                "process_start_time_seconds",
                ManagementFactory.getRuntimeMXBean().getStartTime() / SECOND_MILLIS);
        ProcessHandle.current().info().totalCpuDuration().ifPresent(time -> {
            header(text, "process_cpu_seconds_total", "counter", "Time on processors, of user and system.");
            value(text, "process_cpu_seconds_total", time.toNanos() / SECOND_NANOS);
        });
    }

    private static void memory(StringBuilder text) {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        MemoryUsage other = ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage();
        memory(text, "used", "Memory that is used.", heap.getUsed(), other.getUsed());
        memory(text, "committed", "Memory that the JVM has.", heap.getCommitted(), other.getCommitted());
        memory(text, "max", "Memory that the JVM may have; -1 without a limit.", heap.getMax(), other.getMax());
    }

    private static void memory(StringBuilder text, String what, String help, long heap, long other) {
        String name = "jvm_memory_" + what + "_bytes";
        header(text, name, "gauge", help);
        value(text, name + "{area=\"heap\"}", heap);
        value(text, name + "{area=\"nonheap\"}", other);
    }

    private static void header(StringBuilder text, String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append("\n# TYPE ");
        text.append(name).append(' ').append(type).append('\n');
    }

    private static void value(StringBuilder text, String name, Number value) {
        text.append(name).append(' ').append(value).append('\n');
    }
}
