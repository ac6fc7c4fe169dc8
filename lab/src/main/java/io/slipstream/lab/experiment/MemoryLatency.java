package io.slipstream.lab.experiment;

import io.slipstream.lab.Card;
import io.slipstream.lab.Case;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Figure;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Pinning;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Sample;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** M2: a pointer chase through working sets of growing size, with small pages and with huge ones. */
final class MemoryLatency implements Experiment {
    private static final int LINE_BYTES = 64;
    /** Sets beyond this are in no cache, so that warming it up is in vain. */
    private static final long LARGEST_CACHED = 1 << 26;

    private static final double AGREEMENT = 0.15;

    @Override
    public Card card() {
        return Card.of("M2", "Memory latency", Group.MACHINE)
                .question("How long does a load take whose address comes from the load before it, by the size of the"
                        + " memory in use?")
                .plot(Plot.lines("ns/load", "bytes"))
                .takes(Duration.ofSeconds(24), Duration.ofMinutes(8))
                .rule("A measurement of the machine; nothing is claimed. The C++ curves are the check of the Java"
                        + " ones: they agree at a size when the median of their ratios is within 15 %, and differ when"
                        + " all of its spread lies beyond.")
                .explanation("""
                        Every line of the working set points to the next, in one random circle, so that neither
                        prefetching nor out-of-order execution helps. The curve climbs in steps where a cache is full;
                        the marks are the sizes the kernel states. Beyond the last cache each load is a trip to
                        memory, and on large sets a walk through the page tables too. Huge pages make that walk
                        short: the gap between the two curves is what address translation costs.

                        On a shared machine the neighbours use the last-level cache too, so the points next to its
                        size move from one minute to the next, in Java and in C++ alike.

                        The height of the steps is what a linked structure pays for each node, unless a collector that
                        copies along references has put the nodes in order (here it is kept from doing so). Keep the
                        hot state of a service small enough for the step you can afford; where it must be large, try
                        -XX:+UseTransparentHugePages.""");
    }

    static long[] sizes(Plan plan) {
        long largest = plan.size(1 << 16, 1 << 27, 1L << 29);
        int steps = 64 - Long.numberOfLeadingZeros(largest) - 13;
        long[] sizes = new long[steps];
        for (int i = 0; i < steps; i++) {
            sizes[i] = 1L << (13 + i);
        }
        return sizes;
    }

    @Override
    public void plan(Plan plan) {
        long[] sizes = sizes(plan);
        int loads = plan.count(100, 200_000, 5_000_000);
        int cpu = plan.cpus() - 1;
        String[] heap = {"-Xms2g", "-Xmx2g"};
        plan.add("Java", () -> new Chases(sizes, loads, cpu)).jvm(heap);
        plan.addTwin("C++", "", "pointer_chase.cpp", loads, sizes[sizes.length - 1], cpu, "default");
        Case huge = plan.add("Java, huge pages", () -> new Chases(sizes, loads, cpu))
                .jvm(heap)
                .jvm("-XX:+UseTransparentHugePages");
        Case hugeTwin =
                plan.addTwin("C++, huge pages", "", "pointer_chase.cpp", loads, sizes[sizes.length - 1], cpu, "huge");
        if (!plan.hasHugePages()) {
            huge.skip("the kernel gives no transparent huge pages");
            hugeTwin.skip("the kernel gives no transparent huge pages");
        }
    }

    @Override
    public Verdict judge(Findings found) {
        List<String> sizes = found.xs("ns/load");
        String smallest = sizes.get(0);
        String largest = sizes.get(sizes.size() - 1);
        String text = "A dependent load takes "
                + Figure.show(found.get("Java", smallest, "ns/load").median()) + " ns in "
                + Figure.bytes(Long.parseLong(smallest)) + " and "
                + Figure.show(found.get("Java", largest, "ns/load").median()) + " ns in "
                + Figure.bytes(Long.parseLong(largest)) + huge(found, largest) + "."
                + agreement(found, sizes, "") + agreement(found, sizes, ", huge pages");
        return Verdict.measured(text);
    }

    private static String huge(Findings found, String largest) {
        Sample huge = found.find("Java, huge pages", largest, "ns/load");
        return huge == null ? "" : " (" + Figure.show(huge.median()) + " ns with huge pages)";
    }

    private static String agreement(Findings found, List<String> sizes, String pages) {
        int agree = 0;
        List<String> apart = new ArrayList<>();
        List<String> untold = new ArrayList<>();
        for (String size : sizes) {
            if (found.find("Java" + pages, size, "ns/load") != null
                    && found.find("C++" + pages, size, "ns/load") != null) {
                Verdict.Kind kind = found.ratio("ns/load", "Java" + pages, size, "C++" + pages, size)
                        .medianWithin(AGREEMENT, "")
                        .kind();
                String bytes = Figure.bytes(Long.parseLong(size));
                switch (kind) {
                    case HOLDS -> agree++;
                    case DOES_NOT_HOLD -> apart.add(bytes);
                    default -> untold.add(bytes);
                }
            }
        }
        return agree + apart.size() + untold.size() == 0
                ? ""
                : " Java and C++" + pages + ": agree at " + agree + " sizes"
                        + (apart.isEmpty() ? "" : ", differ at " + String.join(", ", apart))
                        + (untold.isEmpty() ? "" : ", too unsteady at " + String.join(", ", untold)) + ".";
    }

    /** All circles are made once; a round walks on each of them. */
    private static final class Chases implements Workload {
        private final long[] sizes;
        private final Line[] places;
        private final int loads;

        Chases(long[] sizes, int loads, int cpu) {
            // A thread that moves leaves its second-level cache behind.
            Pinning.currentThread(cpu);
            this.sizes = sizes;
            this.loads = loads;
            places = new Line[sizes.length];
            Line[][] lines = new Line[sizes.length][];
            for (int i = 0; i < sizes.length; i++) {
                lines[i] = new Line[(int) (sizes[i] / LINE_BYTES)];
                for (int j = 0; j < lines[i].length; j++) {
                    lines[i][j] = new Line();
                }
            }
            // Into the old generation before they are linked: a collector that copies along references would put them
            // in order.
            System.gc();
            for (int i = 0; i < sizes.length; i++) {
                places[i] = circle(lines[i]);
            }
        }

        @Override
        public void run(Round round) {
            for (int i = 0; i < sizes.length; i++) {
                int lines = (int) (sizes[i] / LINE_BYTES);
                // One whole turn brings into the caches what fits.
                Line place = chase(places[i], sizes[i] <= LARGEST_CACHED ? lines : loads / 4);
                long start = System.nanoTime();
                places[i] = chase(place, loads);
                round.record("ns/load", sizes[i], (double) (System.nanoTime() - start) / loads);
                if (lines <= loads) {
                    round.check("a turn later", 1, chase(place, lines) == place ? 1 : 0);
                }
            }
        }
    }

    /** A random circle through all lines (Sattolo's algorithm, 1986). */
    private static Line circle(Line[] lines) {
        int count = lines.length;
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            order[i] = i;
        }
        SplittableRandom random = new SplittableRandom(42);
        for (int i = count - 1; i > 0; i--) {
            int j = random.nextInt(i);
            int swapped = order[i];
            order[i] = order[j];
            order[j] = swapped;
        }
        for (int i = 0; i < count; i++) {
            lines[i].next = lines[order[i]];
        }
        return lines[0];
    }

    private static Line chase(Line from, long loads) {
        Line place = from;
        for (long i = 0; i < loads; i++) {
            place = place.next;
        }
        return place;
    }

    /** With its header and the reference as long as a cache line. */
    @SuppressWarnings("unused")
    private static final class Line {
        private Line next = this;
        private long a, b, c, d, e, f;
    }
}
