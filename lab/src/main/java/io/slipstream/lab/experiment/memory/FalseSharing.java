package io.slipstream.lab.experiment.memory;

import io.slipstream.lab.Card;
import io.slipstream.lab.Crew;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;

/** B2: counters that share a cache line, and counters that do not. */
public final class FalseSharing implements Experiment {
    private static final VarHandle COUNTER =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int LINE = 64;
    private static final int PADDED = 4 * LINE;

    @Override
    public Card card() {
        return Card.of("B2", "False sharing", Group.MEMORY)
                .question("Threads write only to counters of their own. Does it matter whether these lie in the same"
                        + " cache line?")
                .reported(
                        "Padded, as threads are added",
                        "near linear scale-up",
                        "4-core Nehalem, July 2011",
                        "padded",
                        2,
                        "ns/op")
                .reported(
                        "Not padded",
                        "slower (a chart, no figure in the text)",
                        "4-core Nehalem, July 2011",
                        "side by side",
                        2,
                        "ns/op")
                .plot(Plot.lines("ns/op", "threads"))
                .takes(Duration.ofSeconds(12), Duration.ofMinutes(19))
                .growsWithThreads(8)
                .needsCpus(2)
                .rule("Holds when two threads with counters side by side take at least 1.5 times as long as two with"
                        + " padded ones, and two padded ones at most 1.5 times as long as one.")
                .explanation("""
                    Caches trade whole lines, 64 bytes on most processors. When two cores write to different
                    variables of one line, the line travels to and fro as if they wrote to the same variable:
                    correct, and slow. Nothing in the source shows it.

                    The counters lie off-heap, where their addresses are known: side by side, all are in one line;
                    padded, each has four to itself. The article padded objects by a subclass, and left it to the
                    JVM how far apart those without padding were.

                    Two siblings on one core share its first-level cache, so between them there is little to see;
                    a virtual machine need not tell that its processors are siblings. A fast atomic addition by
                    two threads (B5) gives it away.

                    Keep what different threads write at least two lines apart, since prefetchers fetch lines in
                    pairs. Slipstream's sequences, cursors and counters are padded on both sides.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        long writes = plan.size("writes of a thread", 1_000, 4_000_000, 500_000_000);
        for (int threads : plan.threads(LINE / Long.BYTES)) {
            plan.add("padded", threads, () -> counters(threads, writes, PADDED));
            plan.add("side by side", threads, () -> counters(threads, writes, Long.BYTES));
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.ratio("ns/op", "side by side", 2, "padded", 2)
                        .atLeast(1.5, "Side by side against padded, two threads:"),
                () -> found.ratio("ns/op", "padded", 2, "padded", 1).atMost(1.5, "Padded, two threads against one:"));
    }

    /** Counters {@code distance} bytes apart, from the start of a line on, far from whatever else is written. */
    private static Workload counters(int threads, long writes, int distance) {
        ByteBuffer lines = ByteBuffer.allocateDirect((threads + 3) * PADDED)
                .alignedSlice(LINE)
                .order(ByteOrder.nativeOrder());
        return round -> {
            for (int i = 0; i < threads; i++) {
                COUNTER.setVolatile(lines, place(i, distance), 0L);
            }
            long nanos = Crew.runPinned(threads, member -> count(lines, new int[] {place(member, distance)}, writes));
            round.nanosPerOp(nanos, writes);
            for (int i = 0; i < threads; i++) {
                round.check("last value written", writes, (long) COUNTER.getVolatile(lines, place(i, distance)));
            }
        };
    }

    private static int place(int member, int distance) {
        return PADDED + member * distance;
    }

    /**
     * Looks up the place for every write, in an array that nobody writes to: without a load between, the JIT compiler
     * joins the barriers of several stores.
     */
    private static void count(ByteBuffer lines, int[] place, long writes) {
        for (long i = 1; i <= writes; i++) {
            COUNTER.setVolatile(lines, place[0], i);
        }
    }
}
