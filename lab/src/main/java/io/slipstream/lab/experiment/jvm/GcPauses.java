package io.slipstream.lab.experiment.jvm;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Form;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Unavailable;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** B29: how long a collection stops the world, by how much is alive. */
public final class GcPauses implements Experiment {
    /** A header of 12, an int and a reference make 24; the reference to it in the array is 4 more. */
    private static final int OBJECT_BYTES = 28;

    private static final Map<String, String> COLLECTORS = new LinkedHashMap<>();

    static {
        COLLECTORS.put("serial", "-XX:+UseSerialGC");
        COLLECTORS.put("parallel", "-XX:+UseParallelGC");
        COLLECTORS.put("G1", "-XX:+UseG1GC");
        COLLECTORS.put("ZGC", "-XX:+UseZGC");
    }

    @Override
    public Card card() {
        return Card.of("B29", "Heap size and GC pauses", Group.JVM)
                .question("How long does a full collection stop everything, by the amount of small objects alive and by"
                        + " collector?")
                .reported(
                        "128 MB alive",
                        "about 125 ms (1 s for each GB of small objects)",
                        "collectors of 2011",
                        "serial",
                        128,
                        "pause ms")
                .reported("128 MB off-heap", "none", "collectors of 2011", "serial, data off-heap", 128, "pause ms")
                .plot(Plot.lines("pause ms", "MB alive"))
                .leavesToFull("the parallel collector, and smaller heaps")
                .takes(Duration.ofSeconds(19), Duration.ofMinutes(30))
                .rule("Holds when the last step, to four times as much alive, makes the serial collector's pause at"
                        + " least 2.5 times as long, and the same data off-heap pauses at most a tenth as long.")
                .explanation("""
                    A stop-the-world collector must visit what is alive: the pause grows with the number of live
                    objects, not with the garbage. Parallel collectors divide it by their threads; concurrent ones
                    (ZGC) visit while the program runs, and stop only for a moment, at the price of processor time
                    and slower loads.

                    The pause is what the JVM's own log of safepoints says, from the call to stop to the last
                    thread's going on; of a collection that stops several times, all stops together.

                    What lies off-heap, or in few large arrays, costs the collector nothing. Keep the many small
                    things in columns or regions, and let a generational concurrent collector take care of the
                    rest.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        // Each four times the one before.
        int[] megabytes = plan.form() == Form.FULL
                ? new int[] {128, 512, 2_048}
                : plan.form() == Form.QUICK ? new int[] {12, 48} : new int[] {1, 4};
        long largest = (long) megabytes[megabytes.length - 1] << 20;
        long heap = 2 * largest + (256L << 20);
        COLLECTORS.forEach((name, flag) -> {
            if (plan.isComplete() || !name.equals("parallel")) {
                plan.add(name, () -> new Pauses(plan.directory(), megabytes, GcPauses::objects))
                        .heap(heap)
                        .jvm(flag);
            }
        });
        plan.add("serial, data off-heap", () -> new Pauses(plan.directory(), megabytes, GcPauses::directMemory))
                .heap(256L << 20)
                .jvm("-XX:+UseSerialGC", "-XX:MaxDirectMemorySize=" + (2 * largest >> 20) + "m")
                .needsMemory(2 * largest);
    }

    @Override
    public Verdict judge(Findings found) {
        List<String> sizes = found.xs("pause ms");
        if (sizes.size() < 2) {
            return Verdict.cannotTell("Two sizes are needed, and there are figures for " + sizes.size() + ".");
        }
        String large = sizes.get(sizes.size() - 1);
        String quarter = sizes.get(sizes.size() - 2);
        return found.claims(
                () -> found.ratio("pause ms", "serial", large, "serial", quarter)
                        .atLeast(2.5, large + " MB alive against " + quarter + ", serial:"),
                () -> found.ratio("pause ms", "serial, data off-heap", large, "serial", large)
                        .atMost(0.1, "Off-heap against on-heap:"));
    }

    /** Links of a chain and the array that holds them, {@value #OBJECT_BYTES} bytes for each. */
    private static Object[] objects(int megabytes) {
        Node[] nodes = new Node[Math.toIntExact(((long) megabytes << 20) / OBJECT_BYTES)];
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

    /** Fills, collects, and looks up in the log how long everything stood still. */
    private static final class Pauses implements Workload {
        private static final Pattern STOP = Pattern.compile("Total:\\s*(\\d+) ns");

        private final int[] megabytes;
        private final IntFunction<Object[]> source;
        private final Path log;

        Pauses(Path directory, int[] megabytes, IntFunction<Object[]> source) throws Exception {
            this.megabytes = megabytes;
            this.source = source;
            log = directory.resolve("safepoints.log");
            vmLog(output(), "what=safepoint=info", "decorators=none");
        }

        @Override
        public void run(Round round) throws Exception {
            for (int size : megabytes) {
                Object[] alive = source.apply(size);
                // The first collection moves what is alive to its place.
                System.gc();
                long from = Files.size(log);
                System.gc();
                round.record("pause ms", size, stoppedNanos(from) / 1e6);
                round.check("still alive", alive.length, count(alive));
            }
        }

        private static int count(Object[] alive) {
            int count = 0;
            for (Object object : alive) {
                count += object == null ? 0 : 1;
            }
            return count;
        }

        private long stoppedNanos(long from) throws IOException {
            String lines = Files.readString(log).substring(Math.toIntExact(from));
            long nanos = STOP.matcher(lines)
                    .results()
                    .mapToLong(m -> Long.parseLong(m.group(1)))
                    .sum();
            if (nanos == 0) {
                throw new Unavailable("this JVM logs no safepoints");
            }
            return nanos;
        }

        @Override
        public void close() throws IOException {
            try {
                vmLog(output(), "what=all=off");
            } catch (JMException e) {
                throw new IOException(e);
            }
            Files.delete(log);
        }

        /** In quotes, because arguments end at a space. */
        private String output() {
            return "output=\"" + log + '"';
        }

        /** As {@code jcmd VM.log}. */
        private static void vmLog(String... arguments) throws JMException {
            ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "vmLog",
                            new Object[] {arguments},
                            new String[] {String[].class.getName()});
        }
    }
}
