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
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** B18: a reader at the heels of a writer. */
final class FollowTheWriter implements Experiment {

    @Override
    public Card card() {
        return Card.of("B18", "Follow the writer", Group.THREADS)
                .question("One thread fills an array, another spins on each element until it is set. Is the version"
                        + " without a lock the faster one?")
                .reported(
                        "int[] under synchronized",
                        "read 9,550 ms, write 6,516 ms",
                        "2011",
                        "synchronized",
                        "",
                        "ns/op")
                .reported("AtomicIntegerArray", "74,693 ms for both", "2011", "atomic array", "", "ns/op")
                .plot(Plot.bars("ns/op"))
                .takes(Duration.ofSeconds(8), Duration.ofMinutes(4))
                .needsCpus(2)
                .rule("Holds when the atomic array takes at least twice as long as the array under a lock.")
                .explanation("""
                        A reader that spins on the very line the writer works on takes that line away with every look.
                        The two run in step, one cache transfer for every element, and the lock-free version can be
                        the slower one: a lock lets the writer run ahead, fill whole lines and hand over many elements
                        at once.

                        It is an argument for batching, not for locks. Publish a cursor once for a batch and let
                        readers look at the cursor: that is what a ring with sequences does.""");
    }

    @Override
    public void plan(Plan plan) {
        int size = plan.count(1_000, 2_000_000, 50_000_000);
        plan.add("synchronized", () -> locked(size));
        plan.add("atomic array", () -> atomic(size));
    }

    @Override
    public Verdict judge(Findings found) {
        return found.ratio("ns/op", "atomic array", "synchronized").atLeast(2, "Atomic array against synchronized:");
    }

    private static Workload atomic(int size) {
        AtomicIntegerArray array = new AtomicIntegerArray(size);
        return round -> {
            for (int i = 0; i < size; i++) {
                array.setPlain(i, 0);
            }
            long[] sum = new long[1];
            long nanos = Crew.runPinned(2, member -> {
                if (member == 0) {
                    for (int i = 0; i < size; i++) {
                        array.set(i, 1);
                    }
                } else {
                    for (int i = 0; i < size; i++) {
                        while (array.get(i) == 0) {
                            Thread.onSpinWait();
                        }
                        sum[0]++;
                    }
                }
            });
            round.nanosPerOp(nanos, size);
            round.check("elements seen", size, sum[0]);
        };
    }

    private static Workload locked(int size) {
        int[] array = new int[size];
        return round -> {
            Arrays.fill(array, 0);
            long[] sum = new long[1];
            long nanos = Crew.runPinned(2, member -> {
                for (int i = 0; i < size; i++) {
                    if (member == 0) {
                        set(array, i);
                    } else {
                        while (get(array, i) == 0) {
                            Thread.onSpinWait();
                        }
                        sum[0]++;
                    }
                }
            });
            round.nanosPerOp(nanos, size);
            round.check("elements seen", size, sum[0]);
        };
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
