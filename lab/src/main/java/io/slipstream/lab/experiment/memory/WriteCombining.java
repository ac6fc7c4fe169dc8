package io.slipstream.lab.experiment.memory;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.time.Duration;

/** B1: one loop that writes to six arrays against two loops that write to three each. */
public final class WriteCombining implements Experiment {
    private static final int ITEMS = 1 << 24;
    private static final int MASK = ITEMS - 1;
    private static final long ALL_BYTES = 6L * ITEMS;
    private static final int CHUNK = 1 << 16;

    @Override
    public Card card() {
        return Card.of("B1", "Write combining", Group.MEMORY)
                .question("Is it faster to write to six arrays in one loop, or to three of them in a first loop and"
                        + " three in a second?")
                .reported(
                        "One loop, six arrays",
                        "13.8 to 14.2 s (6.5 ns a step)",
                        "i7-860 2.8 GHz, July 2011",
                        "one loop of six",
                        "",
                        "ns/op")
                .reported(
                        "Two loops, three arrays each",
                        "7.3 to 9.0 s (3.9 ns a step)",
                        "i7-860 2.8 GHz, July 2011",
                        "two loops of three",
                        "",
                        "ns/op")
                .plot(Plot.bars("ns/op"))
                .takes(Duration.ofSeconds(9), Duration.ofMinutes(9))
                .rule("Holds when the one loop takes at least 1.2 times as long as the two together.")
                .explanation("""
                    A store that misses the first-level cache waits in a line fill buffer until its line has
                    arrived, and later stores to the same line join it there. Processors of 2011 had about four
                    such buffers free for a thread; six streams of stores pushed each other out before their lines
                    were full.

                    Newer cores have twice as many buffers, deep store queues and better prefetchers, so six
                    streams may fit. The advice stays good where more streams meet: write few streams at a time,
                    and fill a line before leaving it.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        long steps = plan.size("steps", CHUNK, 40_000_000, Integer.MAX_VALUE) / CHUNK * CHUNK;
        plan.add("one loop of six", () -> oneLoop(arrays(), steps));
        plan.add("two loops of three", () -> twoLoops(arrays(), steps));
    }

    @Override
    public Verdict judge(Findings found) {
        Verdict verdict = found.ratio("ns/op", "one loop of six", "two loops of three")
                .atLeast(1.2, "One loop of six against two of three:");
        return found.lastLevelCacheBytes() < ALL_BYTES
                ? verdict
                : verdict.orCannotTell("All six arrays fit into the last-level cache of this machine.");
    }

    private static byte[][] arrays() {
        return new byte[6][ITEMS];
    }

    private static Workload oneLoop(byte[][] a, long steps) {
        byte[] number = new byte[1];
        return round -> {
            byte mark = ++number[0];
            long start = System.nanoTime();
            for (long i = steps; i > 0; i -= CHUNK) {
                six(a[0], a[1], a[2], a[3], a[4], a[5], (int) i, mark);
            }
            round.nanosPerOp(System.nanoTime() - start, steps);
            check(round, a, steps, mark);
        };
    }

    private static Workload twoLoops(byte[][] a, long steps) {
        byte[] number = new byte[1];
        return round -> {
            byte mark = ++number[0];
            long start = System.nanoTime();
            for (long i = steps; i > 0; i -= CHUNK) {
                three(a[0], a[1], a[2], (int) i, mark);
            }
            for (long i = steps; i > 0; i -= CHUNK) {
                three(a[3], a[4], a[5], (int) i, mark);
            }
            round.nanosPerOp(System.nanoTime() - start, steps);
            check(round, a, steps, mark);
        };
    }

    private static void six(byte[] a, byte[] b, byte[] c, byte[] d, byte[] e, byte[] f, int from, byte mark) {
        for (int i = from; i > from - CHUNK; i--) {
            int slot = i & MASK;
            byte value = (byte) (i + mark);
            a[slot] = value;
            b[slot] = value;
            c[slot] = value;
            d[slot] = value;
            e[slot] = value;
            f[slot] = value;
        }
    }

    private static void three(byte[] a, byte[] b, byte[] c, int from, byte mark) {
        for (int i = from; i > from - CHUNK; i--) {
            int slot = i & MASK;
            byte value = (byte) (i + mark);
            a[slot] = value;
            b[slot] = value;
            c[slot] = value;
        }
    }

    /** The bytes hold the number of their round, so that those of an earlier one do not pass. */
    private static void check(Round round, byte[][] arrays, long steps, byte mark) {
        for (byte[] array : arrays) {
            for (int i = 1; i <= Math.min(steps, MASK); i += 4_099) {
                round.check("byte " + i, (byte) (i + mark), array[i]);
            }
        }
    }
}
