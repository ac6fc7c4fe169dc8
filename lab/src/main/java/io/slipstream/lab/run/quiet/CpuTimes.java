package io.slipstream.lab.run.quiet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Processor time used by everyone, and by this process and its descendants, in ticks of 10 ms, from {@code /proc}; all
 * zero where there is none. Interrupts and the kernel's own threads are left out: its work for our own packets and
 * blocks is not a disturbance. (In a container those threads cannot be seen, and count as others.)
 */
public record CpuTimes(long nanos, long all, long own, long stolen) {
    private static final double TICK_NANOS = 10_000_000;
    private static final double SHORTEST_WINDOW_NANOS = 400_000_000;

    /** The parent of all threads of the kernel. */
    private static final long KTHREADD = 2;

    /** A process: who started it, and the ticks of its own and of those of its children that have ended. */
    private record Ran(long parent, long ticks) {}

    public static CpuTimes now() {
        return read(Path.of("/proc"), ProcessHandle.current().pid());
    }

    /** Processors' worth of time that others use, watched for a second. */
    public static double ofOthers() throws InterruptedException {
        CpuTimes start = now();
        TimeUnit.SECONDS.sleep(1);
        return Math.round(100 * now().foreignSince(start)) / 100.0;
    }

    public static CpuTimes read(Path proc, long self) {
        try {
            // First what takes long, then the two that are compared, next to each other.
            Map<Long, Ran> processes = processes(proc);
            long kernel = processes.values().stream()
                    .filter(process -> process.parent == KTHREADD)
                    .mapToLong(Ran::ticks)
                    .sum();
            long descendants = processes.values().stream()
                    .filter(process -> descends(process, self, processes))
                    .mapToLong(Ran::ticks)
                    .sum();
            String[] all =
                    Files.readAllLines(proc.resolve("stat")).get(0).trim().split("\\s+", -1);
            return new CpuTimes(
                    System.nanoTime(),
                    Long.parseLong(all[1]) + Long.parseLong(all[2]) + Long.parseLong(all[3]) - kernel,
                    read(proc.resolve(String.valueOf(self))).ticks + descendants,
                    Long.parseLong(all[8]));
        } catch (IOException | UncheckedIOException | IndexOutOfBoundsException | NumberFormatException e) {
            return new CpuTimes(System.nanoTime(), 0, 0, 0);
        }
    }

    private static Map<Long, Ran> processes(Path proc) throws IOException {
        Map<Long, Ran> found = new HashMap<>();
        List<Path> directories;
        try (Stream<Path> files = Files.list(proc)) {
            directories = files.filter(f -> f.getFileName().toString().matches("[0-9]+"))
                    .toList();
        }
        for (Path directory : directories) {
            try {
                found.put(Long.valueOf(directory.getFileName().toString()), read(directory));
            } catch (IOException e) {
                // It has just ended.
            }
        }
        return found;
    }

    private static Ran read(Path process) throws IOException {
        String stat = Files.readString(process.resolve("stat"));
        // The name of the process may hold spaces; it ends with the last parenthesis.
        String[] part = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        long ticks =
                Stream.of(part).skip(11).limit(4).mapToLong(Long::parseLong).sum();
        return new Ran(Long.parseLong(part[1]), ticks);
    }

    private static boolean descends(@Nullable Ran process, long ancestor, Map<Long, Ran> processes) {
        return process != null
                && (process.parent == ancestor || descends(processes.get(process.parent), ancestor, processes));
    }

    /** Processors' worth of time that others used since. */
    public double foreignSince(CpuTimes start) {
        return Math.max(0, (all - start.all) - (own - start.own)) * TICK_NANOS / elapsed(start);
    }

    public double stolenSince(CpuTimes start) {
        return Math.max(0, stolen - start.stolen) * TICK_NANOS / elapsed(start);
    }

    private double elapsed(CpuTimes start) {
        // The ticks of a process and those of the machine are counted in different ways; in a short window that looks
        // like a disturbance.
        return Math.max((double) (nanos - start.nanos), SHORTEST_WINDOW_NANOS);
    }
}
