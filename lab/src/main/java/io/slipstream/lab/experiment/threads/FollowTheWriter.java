package io.slipstream.lab.experiment.threads;

import io.slipstream.lab.Card;
import io.slipstream.lab.Crew;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** B18: a reader at the heels of a writer. */
public final class FollowTheWriter implements Experiment {

    @Override
    public Card card() {
        return Card.of("B18", "Follow the writer", Group.THREADS)
                .question("One thread fills an array, another spins on each element until it is set. Is the version"
                        + " without a lock the faster one?")
                .reported(
                        "int[] under synchronized, read",
                        "9,550 ms (number of elements not told)",
                        "16 cores, December 2013",
                        "synchronized",
                        "",
                        "read ns/op")
                .reported(
                        "int[] under synchronized, write",
                        "6,516 ms (likewise)",
                        "16 cores, December 2013",
                        "synchronized",
                        "",
                        "write ns/op")
                .reported(
                        "AtomicIntegerArray, read",
                        "74,693 ms (7.8 times as long)",
                        "16 cores, December 2013",
                        "atomic array",
                        "",
                        "read ns/op")
                .reported(
                        "AtomicIntegerArray, write",
                        "74,693 ms (11.5 times as long)",
                        "16 cores, December 2013",
                        "atomic array",
                        "",
                        "write ns/op")
                .plot(Plot.bars("read ns/op"))
                .plot(Plot.bars("write ns/op"))
                .takes(Duration.ofSeconds(9), Duration.ofMinutes(12))
                .leavesToFull("a reader that pauses")
                .needsCpus(2)
                .rule("Holds when following and writing take at least twice as long in the atomic array as in the array"
                        + " under a lock (reported: 7.8 and 11.5).")
                .explanation("""
                    A reader that spins on the very line the writer works on takes that line away with every look.
                    The two run in step, one cache transfer for every element, and the lock-free version can be
                    the slower one: a lock lets the writer run ahead, fill whole lines and hand over many elements
                    at once.

                    It is an argument for batching, not for locks. Publish a cursor once for a batch and let
                    readers look at the cursor: that is what a ring with sequences does.

                    The article's reader spins without a pause instruction, and so does the judged one here; beside
                    it stands a reader that pauses between two looks.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int size = plan.count("elements", 1_000, 2_000_000, 50_000_000);
        plan.add("synchronized", () -> locked(size, () -> {}));
        plan.add("atomic array", () -> atomic(size, () -> {}));
        if (plan.isComplete()) {
            plan.add("synchronized, with pause", () -> locked(size, Thread::onSpinWait));
            plan.add("atomic array, with pause", () -> atomic(size, Thread::onSpinWait));
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.ratio("read ns/op", "atomic array", "synchronized")
                        .atLeast(2, "Following, atomic array against synchronized:"),
                () -> found.ratio("write ns/op", "atomic array", "synchronized")
                        .atLeast(2, "Writing, atomic array against synchronized:"));
    }

    private static Workload atomic(int size, Runnable pause) {
        AtomicIntegerArray array = new AtomicIntegerArray(size);
        return round -> {
            for (int i = 0; i < size; i++) {
                array.setPlain(i, 0);
            }
            long[] sum = new long[1];
            long[] nanos = new long[2];
            Crew.runPinned(2, member -> {
                long start = System.nanoTime();
                if (member == 0) {
                    for (int i = 0; i < size; i++) {
                        array.set(i, 1);
                    }
                } else {
                    for (int i = 0; i < size; i++) {
                        while (array.get(i) == 0) {
                            pause.run();
                        }
                        sum[0]++;
                    }
                }
                nanos[member] = System.nanoTime() - start;
            });
            record(round, nanos, size, sum[0]);
        };
    }

    private static Workload locked(int size, Runnable pause) {
        int[] array = new int[size];
        return round -> {
            Arrays.fill(array, 0);
            long[] sum = new long[1];
            long[] nanos = new long[2];
            Crew.runPinned(2, member -> {
                long start = System.nanoTime();
                for (int i = 0; i < size; i++) {
                    if (member == 0) {
                        set(array, i);
                    } else {
                        while (get(array, i) == 0) {
                            pause.run();
                        }
                        sum[0]++;
                    }
                }
                nanos[member] = System.nanoTime() - start;
            });
            record(round, nanos, size, sum[0]);
        };
    }

    private static void record(Round round, long[] nanos, int size, long seen) {
        round.record("write ns/op", (double) nanos[0] / size);
        round.record("read ns/op", (double) nanos[1] / size);
        round.check("elements seen", size, seen);
    }

    private static void set(int[] array, int i) {
        synchronized (array) {
            array[i] = 1;
        }
    }

    private static int get(int[] array, int i) {
        synchronized (array) {
            return array[i];
        }
    }
}
