package io.slipstream.lab.experiment.memory;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;

/** C9: four barriers side by side after the work, and spread over it. */
public final class GroupedBarriers implements Experiment {
    private static final int WORDS = 1 << 17;
    private static final int STEP = 8 * 1_021;
    private static final int APART = 16;
    private static final int BARRIERS = 4;

    @Override
    public Card card() {
        return Card.of("C9", "Barriers in groups", Group.MEMORY)
                .question("A piece of work needs four memory barriers. Is it faster to have them side by side at its"
                        + " end than spread over it?")
                .reported("Grouped", "those after the first cost less", "July 2011", "grouped", "", "ns/op")
                .plot(Plot.bars("ns/op"))
                .takes(Duration.ofSeconds(5), Duration.ofMinutes(1))
                .rule("The source tells no factor, so the line is ours: holds when the work with spread barriers takes"
                        + " at least 1.1 times as long as with grouped ones.")
                .explanation("""
                    A barrier waits until all stores before it have left the store buffer. The first of a group
                    waits for all of the work's stores; those after it find the buffer empty. Spread over the work,
                    each waits for the stores since the one before, and none of them overlap.

                    Work through a batch with plain stores, then publish once at its end: that is what a ring's
                    consumer does with its sequence. Barriers here are atomic additions, each to a line of its own,
                    because the JIT compiler joins volatile stores that stand side by side. The stores go to a
                    megabyte, line by line, so that they wait for the second-level cache.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int pieces = plan.count("pieces of work", 100, 300_000, 20_000_000);
        plan.add("spread", () -> work(pieces, GroupedBarriers::spread));
        plan.add("grouped", () -> work(pieces, GroupedBarriers::grouped));
    }

    @Override
    public Verdict judge(Findings found) {
        return found.ratio("ns/op", "spread", "grouped").atLeast(1.1, "Spread against grouped:");
    }

    @FunctionalInterface
    private interface Loop {
        void run(long[] data, AtomicLongArray barriers, int pieces);
    }

    private static Workload work(int pieces, Loop loop) {
        long[] data = new long[WORDS];
        AtomicLongArray barriers = new AtomicLongArray(BARRIERS * APART);
        return round -> {
            long before = barriers.get(0);
            long start = System.nanoTime();
            loop.run(data, barriers, pieces);
            round.nanosPerOp(System.nanoTime() - start, pieces);
            for (int i = 0; i < BARRIERS; i++) {
                round.check("barrier " + i, before + pieces, barriers.get(i * APART));
            }
        };
    }

    private static void spread(long[] data, AtomicLongArray barriers, int pieces) {
        int at = 0;
        for (int i = 0; i < pieces; i++) {
            for (int j = 0; j < BARRIERS; j++) {
                at = (at + STEP) & (WORDS - 1);
                data[at] = i;
                at = (at + STEP) & (WORDS - 1);
                data[at] = j;
                barriers.getAndAdd(j * APART, 1);
            }
        }
    }

    private static void grouped(long[] data, AtomicLongArray barriers, int pieces) {
        int at = 0;
        for (int i = 0; i < pieces; i++) {
            for (int j = 0; j < BARRIERS; j++) {
                at = (at + STEP) & (WORDS - 1);
                data[at] = i;
                at = (at + STEP) & (WORDS - 1);
                data[at] = j;
            }
            for (int j = 0; j < BARRIERS; j++) {
                barriers.getAndAdd(j * APART, 1);
            }
        }
    }
}
