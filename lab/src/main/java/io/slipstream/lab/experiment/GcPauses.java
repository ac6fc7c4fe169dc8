package io.slipstream.lab.experiment;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Form;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** B29: how long a collection stops the world, by how much is alive. */
final class GcPauses implements Experiment {
    private static final int OBJECT_BYTES = 32;

    @Override
    public Card card() {
        return Card.of("B29", "Heap size and GC pauses", Group.JVM)
                .question("How long does a full collection stop everything, by the amount of small objects alive and by"
                        + " collector?")
                .reported(
                        "2011 collectors", "about 1 s for each GB of small objects", "2011", "serial", 128, "pause ms")
                .reported("Off-heap", "none", "2011", "serial, data off-heap", 128, "pause ms")
                .plot(Plot.lines("pause ms", "MB alive"))
                .takes(Duration.ofSeconds(24), Duration.ofMinutes(30))
                .rule("Holds when four times as much alive makes the serial collector's pause at least 2.5 times as"
                        + " long, and the same data off-heap pauses at most a tenth as long.")
                .explanation("""
                        A stop-the-world collector must visit what is alive: the pause grows with the number of live
                        objects, not with the garbage. Parallel collectors divide it by their threads; concurrent ones
                        (ZGC) visit while the program runs, and stop only for a moment, at the price of processor time
                        and slower loads.

                        What lies off-heap, or in few large arrays, costs the collector nothing. Keep the many small
                        things in columns or regions, and let a generational concurrent collector take care of the
                        rest.""");
    }

    @Override
    public void plan(Plan plan) {
        int[] megabytes = plan.form() == Form.FULL
                ? new int[] {128, 512, 2_048, 4_096}
                : plan.form() == Form.QUICK ? new int[] {32, 64, 128} : new int[] {1};
        int heap = 2 * megabytes[megabytes.length - 1] + 256;
        String[] size = {"-Xms" + heap + "m", "-Xmx" + heap + "m"};
        plan.add("serial", () -> pauses(megabytes, true)).jvm(size).jvm("-XX:+UseSerialGC");
        plan.add("parallel", () -> pauses(megabytes, true)).jvm(size).jvm("-XX:+UseParallelGC");
        plan.add("G1", () -> pauses(megabytes, true)).jvm(size).jvm("-XX:+UseG1GC");
        plan.add("ZGC", () -> pauses(megabytes, true)).jvm(size).jvm("-XX:+UseZGC");
        plan.add("serial, data off-heap", () -> pauses(megabytes, false))
                .jvm(size)
                .jvm("-XX:+UseSerialGC", "-XX:MaxDirectMemorySize=" + heap + "m");
    }

    @Override
    public Verdict judge(Findings found) {
        List<String> sizes = found.xs("pause ms");
        String small = sizes.get(0);
        String large = sizes.get(sizes.size() - 1);
        return Verdict.all(
                found.ratio("pause ms", "serial", large, "serial", small)
                        .atLeast(2.5, large + " MB alive against " + small + ", serial:"),
                found.ratio("pause ms", "serial, data off-heap", large, "serial", large)
                        .atMost(0.1, "Off-heap against on-heap:"));
    }

    private static Workload pauses(int[] megabytes, boolean onHeap) {
        return round -> {
            for (int size : megabytes) {
                Object[] alive = onHeap ? objects(size) : directMemory(size);
                // The first collection moves what is alive to its place.
                System.gc();
                long before = pausedMillis();
                long start = System.nanoTime();
                System.gc();
                double elapsed = (System.nanoTime() - start) / 1e6;
                double paused = pausedMillis() - before;
                // The beans count whole milliseconds; a pause below one is known only to lie below the time of the
                // whole call.
                round.record(
                        "pause ms",
                        size,
                        Math.max(0.01, paused == 0 ? Math.min(0.5, elapsed) : Math.min(paused, elapsed)));
                round.check("still alive", onHeap ? size * (1 << 20) / OBJECT_BYTES : size, alive.length);
            }
        };
    }

    /** Time that collectors report as pauses; of the concurrent ones only the beans that say so. */
    private static long pausedMillis() {
        List<GarbageCollectorMXBean> beans = ManagementFactory.getGarbageCollectorMXBeans();
        boolean concurrent = beans.stream().anyMatch(b -> b.getName().contains("Pauses"));
        return beans.stream()
                .filter(b -> !concurrent || b.getName().contains("Pauses"))
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    /** Linked in pairs, of about {@value #OBJECT_BYTES} bytes each with its reference. */
    private static Object[] objects(int megabytes) {
        Node[] nodes = new Node[megabytes * (1 << 20) / OBJECT_BYTES];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = new Node(i, i == 0 ? null : nodes[i - 1]);
        }
        return nodes;
    }

    private static Object[] directMemory(int megabytes) {
        ByteBuffer[] buffers = new ByteBuffer[megabytes];
        for (int i = 0; i < megabytes; i++) {
            buffers[i] = ByteBuffer.allocateDirect(1 << 20);
        }
        return buffers;
    }

    /** Its fields are read by the collector alone. */
    @SuppressWarnings("unused")
    private static final class Node {
        final int number;
        final @Nullable Node before;

        Node(int number, @Nullable Node before) {
            this.number = number;
            this.before = before;
        }
    }
}
