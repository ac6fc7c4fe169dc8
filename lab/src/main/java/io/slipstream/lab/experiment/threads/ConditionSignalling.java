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
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** B4: a ping-pong in which the waiting side sleeps on a condition. */
public final class ConditionSignalling implements Experiment {
    private static final int TURNS_OF_SPIN = 20;

    @Override
    public Card card() {
        return Card.of("B4", "Signalling with lock and condition", Group.THREADS)
                .question("What does it cost to wake another thread through a lock and a condition, and does pinning"
                        + " help?")
                .reported(
                        "Ping-pong, pinned",
                        "4,164 ns (2,082 one way)",
                        "Nehalem 2.8 GHz, Windows 7, November 2011",
                        "condition, pinned",
                        "",
                        "ns/op")
                .reported(
                        "Ping-pong, not pinned",
                        "7,378 ns (3,689 one way)",
                        "Nehalem 2.8 GHz, Windows 7, November 2011",
                        "condition, free",
                        "",
                        "ns/op")
                .reported(
                        "Ping-pong, pinned",
                        "4,046 ns (2,023 one way)",
                        "Nehalem 2.8 GHz, Linux, November 2011",
                        "condition, pinned",
                        "",
                        "ns/op")
                .reported(
                        "Ping-pong, not pinned",
                        "16,978 ns (8,489 one way)",
                        "Nehalem 2.8 GHz, Linux, November 2011",
                        "condition, free",
                        "",
                        "ns/op")
                .reported(
                        "Ping-pong, pinned",
                        "4,720 ns (2,360 one way)",
                        "Sandy Bridge 2.0 GHz, Linux, November 2011",
                        "condition, pinned",
                        "",
                        "ns/op")
                .reported(
                        "Ping-pong, not pinned",
                        "33,616 ns (16,808 one way)",
                        "Sandy Bridge 2.0 GHz, Linux, November 2011",
                        "condition, free",
                        "",
                        "ns/op")
                .plot(Plot.bars("ns/op").log())
                .takes(Duration.ofSeconds(9), Duration.ofMinutes(215))
                .needsCpus(2)
                .rule("Holds when a pinned hand-over by condition takes at least 10 times as long as one by spinning,"
                        + " and a free one at least 1.2 times as long as a pinned one.")
                .explanation("""
                    Waking a sleeper is a system call, an interrupt for the other core, a scheduler's decision and
                    a cold start: microseconds, where a spinning thread sees the same change within a hundred
                    nanoseconds. Without pinning the scheduler may move the two threads together or apart, so the
                    figure depends on luck.

                    Spin where latency matters and a core can be spared; park where it cannot; and batch, so that
                    one wake-up serves many messages. Slipstream's back-off strategy spins first and parks only
                    when nothing comes.

                    As in the article, a turn takes the lock twice: once to wait, once to write and signal. Its
                    program prints the time of one way; here all figures are round trips.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        long trips = plan.size("hand-overs and back", 10, 8_000, 10_000_000);
        plan.add("spinning, pinned", () -> InterThreadLatency.pingPong(trips * TURNS_OF_SPIN))
                .needsPinning();
        plan.add("condition, pinned", () -> signalling(trips, true)).needsPinning();
        plan.add("condition, free", () -> signalling(trips, false));
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.ratio("ns/op", "condition, pinned", "spinning, pinned")
                        .atLeast(10, "Condition against spinning:"),
                () -> found.ratio("ns/op", "condition, free", "condition, pinned")
                        .atLeast(1.2, "Free against pinned:"));
    }

    private static Workload signalling(long trips, boolean pinned) {
        return round -> {
            Table table = new Table();
            Crew.Body player = member -> {
                for (long i = member; i < 2 * trips; i += 2) {
                    table.play(i, member);
                }
            };
            long nanos = pinned ? Crew.runPinned(2, player) : Crew.run(2, player);
            round.nanosPerOp(nanos, trips);
            round.check("turns", 2 * trips, table.turn);
        };
    }

    private static final class Table {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition[] mine = {lock.newCondition(), lock.newCondition()};
        private long turn;

        void play(long number, int member) throws InterruptedException {
            lock.lock();
            try {
                while (turn != number) {
                    mine[member].await();
                }
            } finally {
                lock.unlock();
            }
            lock.lock();
            try {
                turn++;
                mine[1 - member].signal();
            } finally {
                lock.unlock();
            }
        }
    }
}
