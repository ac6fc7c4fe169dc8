package io.slipstream.lab.experiment;

import io.slipstream.lab.Card;
import io.slipstream.lab.Crew;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.time.Duration;
import java.util.function.Supplier;

/** B2: counters that share a cache line, and counters that do not. */
final class FalseSharing implements Experiment {

    @Override
    public Card card() {
        return Card.of("B2", "False sharing", Group.MEMORY)
                .question("Threads write only to counters of their own. Does it matter whether these lie in the same"
                        + " cache line?")
                .reported("Padded, as threads are added", "flat", "Nehalem, 2011", "padded", 2, "ns/op")
                .reported("Not padded", "up to ten times slower", "Nehalem, 2011", "side by side", 2, "ns/op")
                .plot(Plot.lines("ns/op", "threads"))
                .takes(Duration.ofSeconds(13), Duration.ofMinutes(5))
                .needsCpus(2)
                .rule("Holds when two threads with counters side by side take at least 1.5 times as long as two with"
                        + " padded ones, and two padded ones at most 1.5 times as long as one.")
                .explanation("""
                        Caches trade whole lines, 64 bytes on most processors. When two cores write to different
                        variables of one line, the line travels to and fro as if they wrote to the same variable:
                        correct, and slow. Nothing in the source shows it.

                        Two siblings on one core share its first-level cache, so between them there is little to see;
                        a virtual machine need not tell that its processors are siblings. A fast atomic addition by
                        two threads (B5) gives it away.

                        Keep what different threads write at least two lines apart, since prefetchers fetch lines in
                        pairs. Slipstream's sequences, cursors and counters are padded on both sides.""");
    }

    @Override
    public void plan(Plan plan) {
        long writes = plan.size(1_000, 30_000_000, 500_000_000);
        for (int threads : plan.threads(8)) {
            plan.add("padded", threads, () -> counters(threads, writes, Padded::new));
            plan.add("side by side", threads, () -> counters(threads, writes, Counter::new));
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return Verdict.all(
                found.ratio("ns/op", "side by side", 2, "padded", 2)
                        .atLeast(1.5, "Side by side against padded, two threads:"),
                found.ratio("ns/op", "padded", 2, "padded", 1).atMost(1.5, "Padded, two threads against one:"));
    }

    private static Workload counters(int threads, long writes, Supplier<Counter> source) {
        // Allocated one after the other, so that unpadded ones are neighbours.
        Counter[] counters = new Counter[threads];
        for (int i = 0; i < threads; i++) {
            counters[i] = source.get();
        }
        return round -> {
            long nanos = Crew.runPinned(threads, member -> count(counters, member, writes));
            round.nanosPerOp(nanos, writes);
            for (Counter counter : counters) {
                round.check("last value written", 0, counter.value);
            }
        };
    }

    /**
     * Looks its counter up for every write: without a load between, the JIT compiler joins the barriers of several
     * stores.
     */
    private static void count(Counter[] counters, int member, long writes) {
        for (long i = writes - 1; i >= 0; i--) {
            counters[member].value = i;
        }
    }

    static class Counter {
        volatile long value;
    }

    /**
     * Padded by a subclass, because a JVM may reorder the fields within one class; the padding of the neighbour in
     * front protects too.
     */
    @SuppressWarnings("unused")
    static final class Padded extends Counter {
        long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;
    }
}
