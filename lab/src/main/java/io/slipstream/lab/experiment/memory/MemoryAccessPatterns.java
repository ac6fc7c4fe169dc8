package io.slipstream.lab.experiment.memory;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Sample;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.time.Duration;
import java.util.Arrays;

/** B10: the same memory, read in an order the prefetcher likes and in two that it does not. */
public final class MemoryAccessPatterns implements Experiment {
    private static final int WORDS_PER_PAGE = 2 * 1024 * 1024 / Long.BYTES;
    private static final String SET = "set MB";
    private static final long PRIME = 514_229;
    private static final long LARGE_PRIME = 70_368_760_954_879L;

    @Override
    public Card card() {
        return Card.of("B10", "Memory access patterns", Group.MEMORY)
                .question("How much slower is memory read at random than memory read in order, when every word is read"
                        + " once either way?")
                .reported(
                        "In order",
                        "2.4 / 1.0 / 0.9 ns",
                        "U4100 / i7-860 / i7-2760QM, August 2012",
                        "in order",
                        "",
                        "ns/op")
                .reported(
                        "At random within pages of 2 MB",
                        "12.2 / 3.7 / 3.3 ns",
                        "U4100 / i7-860 / i7-2760QM, August 2012",
                        "within pages",
                        "",
                        "ns/op")
                .reported(
                        "At random over the heap",
                        "151.8 / 29.1 / 9.4 ns",
                        "U4100 / i7-860 / i7-2760QM, August 2012",
                        "over the heap",
                        "",
                        "ns/op")
                .reported(
                        "The same, large stride",
                        "29.4 ns",
                        "i7-2760QM, August 2012",
                        "over the heap, large stride",
                        "",
                        "ns/op")
                .plot(Plot.bars("ns/op").log())
                .takes(Duration.ofSeconds(12), Duration.ofMinutes(5))
                .rule("Holds when reading over the heap takes at least 3 times as long as in order, and reading"
                        + " within pages lies between the two.")
                .explanation("""
                    In order, the prefetcher has the next lines ready before they are asked for. Within a page,
                    every line must be found, but the page's address stays known. Over the heap, the address
                    translation itself misses, and one read becomes several.

                    The large stride is the article's second one. Modulo the size of its 2 GB it jumps over
                    sixteenths of the heap; in the quick form's smaller memory it makes two walks in step, which
                    prefetchers follow with ease.

                    Lay out what is read together side by side: arrays instead of linked nodes, columns instead of
                    objects. Open addressing beats chains for the same reason.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int words = plan.count("words of 8 bytes", WORDS_PER_PAGE, 1 << 24, 1 << 28);
        long heap = ((long) words * Long.BYTES) + (256L << 20);
        String young = "-Xmn64m";
        plan.add("in order", () -> walk(words, WORDS_PER_PAGE, 1)).heap(heap).jvm(young);
        plan.add("within pages", () -> walk(words, WORDS_PER_PAGE, PRIME))
                .heap(heap)
                .jvm(young);
        plan.add("over the heap", () -> walk(words, words, PRIME)).heap(heap).jvm(young);
        plan.add("over the heap, large stride", () -> walk(words, words, LARGE_PRIME))
                .heap(heap)
                .jvm(young);
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> unlessCached(
                        found,
                        found.ratio("ns/op", "over the heap", "in order")
                                .atLeast(3, "Over the heap against in order:")),
                () -> unlessCached(
                        found,
                        found.ratio("ns/op", "within pages", "in order").atLeast(1, "Within pages against in order:")),
                () -> unlessCached(
                        found,
                        found.ratio("ns/op", "over the heap", "within pages")
                                .atLeast(1, "Over the heap against within pages:")));
    }

    /** A walk through what the last-level cache holds says nothing about memory. */
    private static Verdict unlessCached(Findings found, Verdict verdict) {
        Sample set = found.find("over the heap", "", SET);
        return set == null || found.lastLevelCacheBytes() < set.median() * (1 << 20)
                ? verdict
                : verdict.orCannotTell("All of it fits into the last-level cache; the full form walks through 2 GB.");
    }

    private static Workload walk(int words, int window, long stride) {
        long[] memory = new long[words];
        Arrays.setAll(memory, i -> i);
        long expected = (words - 1L) * words / 2;
        return round -> {
            long sum = 0;
            long start = System.nanoTime();
            for (int base = 0; base < words; base += window) {
                sum += window(memory, base, window - 1, stride);
            }
            round.nanosPerOp(System.nanoTime() - start, words);
            round.record(SET, words * 8.0 / (1 << 20));
            round.check("sum", expected, sum);
        };
    }

    /** Visits every word of the window once, because an odd stride and a power of two have no common divisor. */
    private static long window(long[] memory, int base, int mask, long stride) {
        long sum = 0;
        long offset = 0;
        for (int i = 0; i <= mask; i++) {
            offset = (offset + stride) & mask;
            sum += memory[base + (int) offset];
        }
        return sum;
    }
}
