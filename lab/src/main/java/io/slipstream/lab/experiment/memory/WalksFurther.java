package io.slipstream.lab.experiment.memory;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Sample;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.time.Duration;
import java.util.Arrays;

/** C7: the walks of B10 over twice the memory, with another stride, and line by line. */
public final class WalksFurther implements Experiment {
    private static final String HALF = "over half of it";
    private static final String ALL = "over all of it";
    private static final String OTHER = "over half, other prime";
    private static final String LINES = "lines in order";
    private static final String LINES_AT_RANDOM = "lines at random";
    private static final String SET = "MB";
    private static final int WORDS_A_LINE = 8;
    private static final int PRIME = 514_229;
    private static final int OTHER_PRIME = 39_916_801;

    @Override
    public Card card() {
        return Card.of("C7", "Memory walks: twice the size, another prime, pre-fetch", Group.MEMORY)
                .question("What changes in a random walk over memory when the memory is twice as large, or the stride"
                        + " is another prime; and how much does the pre-fetcher hide of a walk from line to line?")
                .reported("4 GB against 2 GB", "55 against 30 ns", "i7-860 2.8 GHz, August 2012", "walk", ALL, "ns/op")
                .reported("Stride 39,916,801", "varies wildly", "Nehalem, August 2012", "walk", OTHER, "ns/op")
                .reported(
                        "Lines in order",
                        "many loads hit what was pre-fetched",
                        "i7-2760QM, August 2012",
                        "walk",
                        LINES,
                        "ns/op")
                .plot(Plot.bars("ns/op"))
                .takes(Duration.ofSeconds(3), Duration.ofMinutes(8))
                .rule("Holds when the walk over all of the memory takes at least 1.2 times as long as over half of it"
                        + " (reported: 1.8), and lines at random take at least 3 times as long as lines in order. What"
                        + " the other prime does is shown, and not judged.")
                .explanation("""
                    The more memory a walk spreads over, the fewer of its addresses are translated without another
                    look at the page tables, and with luck the rest of these tables are in a cache. A pre-fetcher
                    sees strides of a line or a few, and asks for the lines to come.

                    Walk in order, and a load costs what its bytes cost to carry. Where order is impossible, make
                    the memory smaller: narrower fields, columns, and larger pages.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int words = plan.count("words of 8 bytes", 1 << 17, 1 << 25, 1 << 29);
        int reads = plan.count("reads of a walk", 1_000, 1_000_000, 1 << 28);
        plan.add("walk", () -> walks(words, reads))
                .heap(words * 8L + (256L << 20))
                .jvm("-Xmn64m");
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> unlessCached(
                        found, found.ratio("ns/op", "walk", ALL, "walk", HALF).atLeast(1.2, "Twice the memory:")),
                () -> unlessCached(
                        found,
                        found.ratio("ns/op", "walk", LINES_AT_RANDOM, "walk", LINES)
                                .atLeast(3, "Lines at random against in order:")));
    }

    private static Verdict unlessCached(Findings found, Verdict verdict) {
        Sample set = found.find("walk", "", SET);
        return set == null || found.lastLevelCacheBytes() < set.median() / 2 * (1 << 20)
                ? verdict
                : verdict.orCannotTell("Half of it fits into the last-level cache; the full form walks through 4 GB.");
    }

    private static Workload walks(int words, int reads) {
        long[] memory = new long[words];
        Arrays.setAll(memory, i -> i);
        int[] at = new int[1];
        return round -> {
            // Each round goes on where the one before has ended, so that none finds its lines in a cache.
            int from = at[0] & -WORDS_A_LINE;
            walk(round, HALF, memory, from, words / 2 - 1, PRIME, reads);
            walk(round, ALL, memory, from, words - 1, PRIME, reads);
            walk(round, OTHER, memory, from, words / 2 - 1, OTHER_PRIME, reads);
            walk(round, LINES, memory, from, words - 1, WORDS_A_LINE, reads);
            walk(round, LINES_AT_RANDOM, memory, from, words - 1, WORDS_A_LINE * PRIME, reads);
            round.record(SET, words * 8.0 / (1 << 20));
            at[0] = (int) (at[0] + (long) reads * PRIME & words - 1);
        };
    }

    private static void walk(Round round, String what, long[] memory, int from, int mask, int stride, int reads) {
        long expected = 0;
        for (int i = 0, place = from; i < reads; i++) {
            place = place + stride & mask;
            expected += place;
        }
        long start = System.nanoTime();
        long sum = sum(memory, from, mask, stride, reads);
        round.record("ns/op", what, (double) (System.nanoTime() - start) / reads);
        round.check("sum", expected, sum);
    }

    private static long sum(long[] memory, int from, int mask, int stride, int reads) {
        long sum = 0;
        for (int i = 0, place = from; i < reads; i++) {
            place = place + stride & mask;
            sum += memory[place];
        }
        return sum;
    }
}
