package io.slipstream.lab.experiment.machine;

import io.slipstream.lab.Card;
import io.slipstream.lab.Crew;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Figure;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Pinning;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Sample;
import io.slipstream.lab.Verdict;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;

/** M1: how far every core is from every other. */
public final class CoreToCore implements Experiment {
    private static final int SLOT = 64;

    @Override
    public Card card() {
        return Card.of("M1", "Core to core", Group.MACHINE)
                .question("How long does a cache line take from one core to another and back?")
                .plot(Plot.heat("ns/round trip", "to processor"))
                .takes(Duration.ofSeconds(3), Duration.ofSeconds(25))
                .grows(Math.max(1, Runtime.getRuntime().availableProcessors() - 1))
                .rule("A measurement of the machine; nothing is claimed.")
                .explanation("""
                    Two pinned threads take turns with a compare-and-set on one line; both cores are kept busy
                    before they are measured. Cores that share a last-level cache are near, cores on another die
                    or socket are far. Siblings on one core (SMT) are nearest and share everything else too.

                    Put threads that talk on near cores, and threads that only compute on far ones. On a machine
                    with two processors there is one distance.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int cpus = Math.min(plan.cpus(), Pinning.cpus());
        if (cpus < 2) {
            plan.add(String.valueOf(Pinning.cpu(0)), () -> round -> {}).skip("there is only one processor");
        }
        // A round walks through all others, so the more there are, the fewer trips has each; to heat a core takes some.
        int others = Math.max(1, cpus - 1);
        long trips = plan.size("round trips of a processor", 50, 200_000, 2_000_000) / others;
        long heating = Math.max(plan.size(10, 1_000, 1_000), plan.size(10, 10_000, 50_000) / others);
        for (int from = 0; from < cpus - 1; from++) {
            int first = from;
            int a = Pinning.cpu(first);
            plan.add(String.valueOf(a), () -> round -> {
                        for (int other = first + 1; other < cpus; other++) {
                            int b = Pinning.cpu(other);
                            round.record("ns/round trip", b, trip(a, b, heating, trips, round));
                        }
                    })
                    .needsPinning();
        }
    }

    @Override
    public Verdict judge(Findings found) {
        double least = Double.MAX_VALUE;
        double most = 0;
        for (String a : found.series("ns/round trip")) {
            for (String b : found.xs("ns/round trip")) {
                Sample sample = found.find(a, b, "ns/round trip");
                if (sample != null) {
                    least = Math.min(least, sample.median());
                    most = Math.max(most, sample.median());
                }
            }
        }
        return Verdict.measured("A round trip between two cores takes " + Figure.show(least)
                + (most > least * 1.1 ? " to " + Figure.show(most) : "") + " ns.");
    }

    private static double trip(int a, int b, long heating, long trips, Round round) throws Exception {
        AtomicLongArray line = new AtomicLongArray(2 * SLOT);
        long[] nanos = new long[2];
        Crew.run(2, member -> {
            Pinning.currentThread(member == 0 ? a : b);
            play(line, member, 0, heating);
            long start = System.nanoTime();
            play(line, member, 2 * heating, trips);
            nanos[member] = System.nanoTime() - start;
        });
        round.check("turns", 2 * (heating + trips), line.get(SLOT));
        return (double) nanos[0] / trips;
    }

    /** Takes every other turn from {@code first} on, the member's own parity. */
    private static void play(AtomicLongArray line, int member, long first, long trips) {
        for (long i = 0; i < trips; i++) {
            long turn = first + 2 * i + member;
            while (!line.compareAndSet(SLOT, turn, turn + 1)) {
                Thread.onSpinWait();
            }
        }
    }
}
