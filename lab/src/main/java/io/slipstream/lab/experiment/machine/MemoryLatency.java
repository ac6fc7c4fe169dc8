package io.slipstream.lab.experiment.machine;

import io.slipstream.lab.Card;
import io.slipstream.lab.Case;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Figure;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Ratio;
import io.slipstream.lab.Sample;
import io.slipstream.lab.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** M2: a pointer chase through working sets of growing size, with small pages and with huge ones. */
public final class MemoryLatency implements Experiment {
    private static final double AGREEMENT = 0.15;
    private static final long HEAP = 2L << 30;
    private static final long FULL = 1L << 29;

    /** A set of so many times the last-level cache has most of its lines in memory. */
    private static final int CACHES_TO_BE_IN_MEMORY = 4;

    @Override
    public Card card() {
        return Card.of("M2", "Memory latency", Group.MACHINE)
                .question("How long does a load take whose address comes from the load before it, by the size of the"
                        + " memory in use?")
                .plot(Plot.lines(PointerChase.JAVA, "bytes"))
                .plot(Plot.lines(PointerChase.RATIO, "bytes").linear())
                .takes(Duration.ofSeconds(31), Duration.ofMinutes(45))
                .rule("A measurement of the machine; nothing is claimed. A program in C++ that takes turns with Java at"
                        + " each size is the check: they agree at a size when the middle half of their ratios"
                        + " lies within 15 %, and differ when all of it lies beyond.")
                .explanation("""
                    Every line of the working set points to the next, in one random circle, so that neither
                    prefetching nor out-of-order execution helps. The curve climbs in steps where a cache is full;
                    the marks are the sizes the kernel states. Beyond the last cache each load is a trip to
                    memory, and on large sets a walk through the page tables too. Huge pages make that walk
                    short: the gap between the two curves is what address translation costs.

                    On a shared machine the neighbours use the last-level cache too, so the points next to its
                    size move from one second to the next, in Java and in C++ alike. Their ratio does not, since
                    the two take turns within milliseconds on one processor.

                    The height of the steps is what a linked structure pays for each node, unless a collector that
                    copies along references has put the nodes in order (here it is kept from doing so). Keep the
                    hot state of a service small enough for the step you can afford; where it must be large, try
                    -XX:+UseTransparentHugePages.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        long largest = plan.size("bytes at most", 1 << 16, 1 << 26, FULL);
        int loads = plan.count("loads", 100, 40_000, 5_000_000);
        plan.add("small pages", () -> new PointerChase(plan, largest, loads, "default"))
                .heap(HEAP);
        Case huge = plan.add("huge pages", () -> new PointerChase(plan, largest, loads, "huge"))
                .heap(HEAP)
                .jvm("-XX:+UseTransparentHugePages");
        if (!plan.hasHugePages()) {
            huge.skip("the kernel gives no transparent huge pages");
        }
    }

    @Override
    public Verdict judge(Findings found) {
        List<String> sizes = found.xs(PointerChase.JAVA);
        String smallest = sizes.get(0);
        String largest = sizes.get(sizes.size() - 1);
        Sample huge = found.find("huge pages", largest, PointerChase.JAVA);
        return Verdict.measured("A dependent load takes "
                + Figure.show(
                        found.get("small pages", smallest, PointerChase.JAVA).median()) + " ns in "
                + Figure.bytes(Long.parseLong(smallest)) + " and "
                + Figure.show(
                        found.get("small pages", largest, PointerChase.JAVA).median()) + " ns in "
                + Figure.bytes(Long.parseLong(largest))
                + (huge == null ? "" : " (" + Figure.show(huge.median()) + " ns with huge pages)") + "."
                + end(found, Long.parseLong(largest)) + agreement(found, "small pages")
                + agreement(found, "huge pages"));
    }

    /** Where a part of the largest set may still lie in a cache, its figure is not that of memory. */
    private static String end(Findings found, long largest) {
        long cache = found.lastLevelCacheBytes();
        return largest >= CACHES_TO_BE_IN_MEMORY * cache
                ? ""
                : " The curve ends " + (largest <= cache ? "within" : "near") + " the last-level cache of "
                        + Figure.bytes(cache) + ", so that what memory takes is not among its figures"
                        + (largest < FULL ? "; the full form goes on to " + Figure.bytes(FULL) + "." : ".");
    }

    private static String agreement(Findings found, String pages) {
        int agree = 0;
        List<String> apart = new ArrayList<>();
        List<String> untold = new ArrayList<>();
        for (String size : found.xs(PointerChase.RATIO)) {
            Sample ratio = found.find(pages, size, PointerChase.RATIO);
            if (ratio != null) {
                String bytes = Figure.bytes(Long.parseLong(size));
                switch (Ratio.of(ratio).within(AGREEMENT, "").kind()) {
                    case HOLDS -> agree++;
                    case DOES_NOT_HOLD -> apart.add(bytes);
                    default -> untold.add(bytes);
                }
            }
        }
        return agree + apart.size() + untold.size() == 0
                ? ""
                : " Java and C++, " + pages + ": agree at " + agree + (agree == 1 ? " size" : " sizes")
                        + (apart.isEmpty() ? "" : ", differ at " + String.join(", ", apart))
                        + (untold.isEmpty() ? "" : ", too unsteady at " + String.join(", ", untold)) + ".";
    }
}
