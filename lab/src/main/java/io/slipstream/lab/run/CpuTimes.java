package io.slipstream.lab.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Processor time used by everyone, and by this process and its children, in ticks of 10 ms, from {@code /proc}; all
 * zero where there is none. Interrupts are left out: the kernel's work for our own packets and blocks is not a
 * disturbance.
 */
record CpuTimes(long nanos, long all, long own, long stolen) {
    private static final double TICK_NANOS = 10_000_000;
    private static final double SHORTEST_WINDOW_NANOS = 400_000_000;

    static CpuTimes now() {
        try {
            // First what takes long to find, then the two that are compared, next to each other.
            ProcessHandle self = ProcessHandle.current();
            long children = self.descendants().mapToLong(CpuTimes::ticks).sum();
            String[] all =
                    Files.readAllLines(Path.of("/proc/stat")).get(0).trim().split("\\s+", -1);
            long own = ticks(self) + children;
            return new CpuTimes(
                    System.nanoTime(),
                    Long.parseLong(all[1]) + Long.parseLong(all[2]) + Long.parseLong(all[3]),
                    own,
                    Long.parseLong(all[8]));
        } catch (IOException | RuntimeException e) {
            return new CpuTimes(System.nanoTime(), 0, 0, 0);
        }
    }

    /** Of a process and those of its children that have ended; zero when it has ended itself. */
    private static long ticks(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
            // The name of the process may hold spaces; it ends with the last parenthesis.
            String[] part = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Stream.of(part).skip(11).limit(4).mapToLong(Long::parseLong).sum();
        } catch (IOException e) {
            return 0;
        }
    }

    /** Processors' worth of time that others used since. */
    double foreignSince(CpuTimes start) {
        return Math.max(0, (all - start.all) - (own - start.own)) * TICK_NANOS / elapsed(start);
    }

    double stolenSince(CpuTimes start) {
        return Math.max(0, stolen - start.stolen) * TICK_NANOS / elapsed(start);
    }

    private double elapsed(CpuTimes start) {
        // The ticks of a process and those of the machine are counted in different ways; in a short window that looks
        // like a disturbance.
        return Math.max((double) (nanos - start.nanos), SHORTEST_WINDOW_NANOS);
    }
}
