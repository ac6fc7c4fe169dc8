package io.slipstream.lab.experiment;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Figure;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** M2: a pointer chase through working sets of growing size. */
final class MemoryLatency implements Experiment {
    private static final int LINE_BYTES = 64;

    @Override
    public Card card() {
        return Card.of("M2", "Memory latency", Group.MACHINE)
                .question("How long does a load take whose address comes from the load before it, by the size of the"
                        + " memory in use?")
                .plot(Plot.lines("ns/load", "bytes"))
                .takes(Duration.ofSeconds(14), Duration.ofMinutes(4))
                .rule("A measurement of the machine; nothing is claimed. The C++ curve is the check of the Java one.")
                .explanation("""
                        Every line of the working set points to the next, in one random circle, so that neither
                        prefetching nor out-of-order execution helps. The curve climbs in steps where a cache is full;
                        the marks are the sizes the kernel states. Beyond the last cache each load is a trip to
                        memory, and on large sets a walk through the page tables too.

                        The height of the steps is what a linked structure pays for each node, unless a collector that
                        copies along references has put the nodes in order (here it is kept from doing so). Keep the
                        hot state of a service small enough for the step you can afford.""");
    }

    static long[] sizes(Plan plan) {
        long largest = plan.size(1 << 16, 1 << 28, 1L << 29);
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
        int loads = plan.count(100, 400_000, 5_000_000);
        plan.add("Java", () -> new Chases(sizes, loads)).jvm("-Xms2g", "-Xmx2g");
        plan.addTwin("C++", "", "pointer_chase.cpp", loads, sizes[sizes.length - 1]);
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
                + Figure.bytes(Long.parseLong(largest)) + ".";
        return Verdict.measured(text);
    }

    /** All circles are made once; a round walks on each of them. */
    private static final class Chases implements Workload {
        private final long[] sizes;
        private final Line[] places;
        private final int loads;

        Chases(long[] sizes, int loads) {
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
                Line place = chase(places[i], Math.min(lines, 4L * loads));
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
