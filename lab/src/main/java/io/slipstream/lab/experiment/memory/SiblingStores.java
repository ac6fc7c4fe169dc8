package io.slipstream.lab.experiment.memory;

import io.slipstream.lab.Card;
import io.slipstream.lab.Case;
import io.slipstream.lab.Crew;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Pinning;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import io.slipstream.lab.machine.Processors;
import java.time.Duration;

/** C8: two threads of one core that both write several arrays. */
public final class SiblingStores implements Experiment {
    private static final String SIBLINGS = "siblings";
    private static final String CORES = "two cores";
    private static final String FEW = "two arrays each";
    private static final String MANY = "four arrays each";
    private static final int ITEMS = 1 << 24;
    private static final int MASK = ITEMS - 1;

    @Override
    public Card card() {
        return Card.of("C8", "Siblings and write combining", Group.MEMORY)
                .question("Two hardware threads of one core share its write-combining buffers. Do they slow each other"
                        + " down when both write several arrays?")
                .reported("Siblings", "compete for the buffers", "July 2011", SIBLINGS, MANY, "ns/store")
                .plot(Plot.bars("ns/store"))
                .takes(Duration.ofSeconds(4), Duration.ofMinutes(9))
                .needsCpus(2)
                .regardlessOfDistance()
                .rule("The source tells no factor, so the line is ours: holds when a store of siblings that write four"
                        + " arrays each takes at least 1.2 times as long as with two arrays each, and on two cores at"
                        + " most 1.1 times.")
                .explanation("""
                    The buffers that gather the stores to a line belong to the core. A program that is careful to
                    write four arrays at a time (B1) has room for that only as long as its neighbour on the same
                    core writes none.

                    Give a thread whose stores matter a core of its own, its sibling left empty. That is what
                    Slipstream's PinPlan.onePerCore does.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int steps = plan.count("steps of a thread", 1_000, 12_000_000, Integer.MAX_VALUE / 2);
        int cores = Processors.here().cores();
        boolean isShared = Pinning.cpus() > cores;
        Case siblings = plan.add(SIBLINGS, () -> writers(steps, cores)).needsPinning();
        Case apart = plan.add(CORES, () -> writers(steps, 1)).needsPinning();
        if (!isShared) {
            siblings.skip("no core here shows two hardware threads");
            apart.skip("it is there to be compared with siblings");
        } else if (cores < 2) {
            apart.skip("there is one core");
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.ratio("ns/store", SIBLINGS, MANY, SIBLINGS, FEW)
                        .atLeast(1.2, "Siblings, four against two:"),
                () -> found.ratio("ns/store", CORES, MANY, CORES, FEW).atMost(1.1, "Two cores, four against two:"));
    }

    /** The second of the two writers runs on that processor of the lab's order. */
    private static Workload writers(int steps, int second) {
        byte[][] arrays = new byte[8][ITEMS];
        return round -> {
            long few = Crew.run(2, member -> {
                Pinning.currentThread(Pinning.cpu(member * second));
                two(arrays[4 * member], arrays[4 * member + 1], 2 * steps);
            });
            round.record("ns/store", FEW, (double) few / steps / 4);
            long many = Crew.run(2, member -> {
                Pinning.currentThread(Pinning.cpu(member * second));
                byte[][] mine = {
                    arrays[4 * member], arrays[4 * member + 1], arrays[4 * member + 2], arrays[4 * member + 3]
                };
                four(mine[0], mine[1], mine[2], mine[3], steps);
            });
            round.record("ns/store", MANY, (double) many / steps / 4);
            for (byte[] array : arrays) {
                round.check("the byte that is written last", 1, array[1]);
            }
        };
    }

    private static void two(byte[] a, byte[] b, int steps) {
        for (int i = steps; i > 0; i--) {
            int slot = i & MASK;
            byte value = (byte) i;
            a[slot] = value;
            b[slot] = value;
        }
    }

    private static void four(byte[] a, byte[] b, byte[] c, byte[] d, int steps) {
        for (int i = steps; i > 0; i--) {
            int slot = i & MASK;
            byte value = (byte) i;
            a[slot] = value;
            b[slot] = value;
            c[slot] = value;
            d[slot] = value;
        }
    }
}
