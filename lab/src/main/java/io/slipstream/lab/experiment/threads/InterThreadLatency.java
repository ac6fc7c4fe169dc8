package io.slipstream.lab.experiment.threads;

import io.slipstream.lab.Card;
import io.slipstream.lab.Crew;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import io.slipstream.lab.experiment.product.SharedMemory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;

/** B3: two threads hand a number to and fro. */
public final class InterThreadLatency implements Experiment {
    private static final String MACHINE = "Sandy Bridge 2.2 GHz, August 2011";
    private static final int PING = 16;
    private static final int PONG = 48;

    @Override
    public Card card() {
        return Card.of("B3", "Latency between two threads", Group.THREADS)
                .question("How long does it take until one core sees what another wrote, and does Java pay more for it"
                        + " than C++?")
                .reported("Java, volatile", "102 ns (51 one way)", MACHINE, "Java", "", "ns/op")
                .reported("C++, atomics", "90 ns (45 one way)", MACHINE, "C++", "", "ns/op")
                .reported("Java, volatile", "9.8 M/s", MACHINE, "Java", "", "round trips/s")
                .reported("C++, atomics", "11.1 M/s", MACHINE, "C++", "", "round trips/s")
                .plot(Plot.bars("ns/op"))
                .plot(Plot.bars("round trips/s"))
                .leavesToFull("spinning with the pause instruction")
                .takes(Duration.ofSeconds(6), Duration.ofMinutes(350))
                .needsCpus(2)
                .rule("Holds when Java takes between 0.85 and 1.15 times as long as C++ (reported: 1.13), both"
                        + " spinning without a pause, as the article's programs do.")
                .explanation("""
                    One operation is a round trip: two lines cross from core to core, one for each direction. The
                    time is the machine's, not the language's: a volatile store compiles to the same instructions
                    as a C++ atomic one.

                    It is the floor under every queue, lock and ring on this machine. A hand-over cannot be faster
                    than half of it, so fewer hand-overs beat faster ones: batch, and keep on one thread what one
                    thread can do.

                    The article's programs print the time of one way: they divide by twice the round trips. The
                    figures above are theirs, for a whole round trip. Beside the bare spins stand the same with a
                    pause instruction (Thread.onSpinWait) between two looks, as a program should have it.

                    Slipstream's shared memory carries a message of 60 bytes each way through a mapped file (P2):
                    what it takes above the number alone is the price of frames, positions and checks.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        long trips = plan.size("round trips", 100, 500_000, 500_000_000);
        plan.add("Java", () -> rally(trips, () -> {}));
        plan.addTwin("C++", "", "ping_pong.cpp", trips, "bare");
        SharedMemory.addRoundTrips(
                plan, "Slipstream's shared memory", plan.count("messages there and back", 100, 200_000, 20_000_000));
        if (plan.isComplete()) {
            plan.add("Java, with pause", () -> pingPong(trips));
            plan.addTwin("C++, with pause", "", "ping_pong.cpp", trips, "pause");
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return found.ratio("ns/op", "Java", "C++").within(0.15, "Java against C++:");
    }

    /** With a pause; also what other experiments compare a hand-over by spinning with. */
    static Workload pingPong(long trips) {
        return rally(trips, Thread::onSpinWait);
    }

    /** A forked JVM knows one kind of pause, so that it is inlined. */
    private static Workload rally(long trips, Runnable pause) {
        AtomicLongArray lines = new AtomicLongArray(64);
        return round -> {
            lines.set(PING, -1);
            lines.set(PONG, -1);
            long nanos = Crew.runPinned(2, member -> {
                if (member == 0) {
                    ping(lines, trips, pause);
                } else {
                    pong(lines, trips, pause);
                }
            });
            round.nanosPerOp(nanos, trips);
            round.record("round trips/s", trips * 1e9 / nanos);
            round.check("last number", trips - 1, lines.get(PONG));
        };
    }

    private static void ping(AtomicLongArray lines, long trips, Runnable pause) {
        for (long i = 0; i < trips; i++) {
            lines.set(PING, i);
            while (lines.get(PONG) != i) {
                pause.run();
            }
        }
    }

    private static void pong(AtomicLongArray lines, long trips, Runnable pause) {
        for (long i = 0; i < trips; i++) {
            while (lines.get(PING) != i) {
                pause.run();
            }
            lines.set(PONG, i);
        }
    }
}
