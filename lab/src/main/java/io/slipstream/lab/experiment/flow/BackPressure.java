package io.slipstream.lab.experiment.flow;

import io.slipstream.lab.Card;
import io.slipstream.lab.Crew;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Verdict;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** B13: more work than can be done, in front of a bounded and an unbounded queue. */
public final class BackPressure implements Experiment {
    private static final long WORK_NANOS = 20_000;
    private static final long LIMIT_NANOS = 1_000_000;
    private static final int OVERLOAD = 2;
    private static final int SLICES = 10;

    @Override
    public Card card() {
        return Card.of("B13", "Back pressure", Group.FLOW)
                .question("A service is offered twice what it can do. What happens to response times with an unbounded"
                        + " queue, and with a bounded one?")
                .reported(
                        "Unbounded queue",
                        "response time grows without limit",
                        "May 2012",
                        "unbounded",
                        10,
                        "response ms")
                .reported(
                        "Bounded queue",
                        "stays at the configured maximum (here 1 ms)",
                        "May 2012",
                        "bounded",
                        10,
                        "response ms")
                .plot(Plot.lines("response ms", "tenth of the run"))
                .takes(Duration.ofSeconds(7), Duration.ofMinutes(6))
                .needsCpus(2)
                .regardlessOfDistance()
                .rule("Holds when the bounded queue's response time in the last tenth is at most 1.5 times the"
                        + " configured maximum, and the unbounded one's at least 5 times the bounded one's.")
                .explanation("""
                    When more arrives than leaves, a queue without a bound only stores delay: everyone waits
                    behind everyone. With a bound of maximum latency over time for one piece of work (Little's
                    law) those who are let in are served in time, and the others are told at once that they are
                    not.

                    A refusal is an answer. Clients that are refused can go elsewhere, slow down or tell their
                    users; clients that wait behind an endless queue time out and ask again. In Slipstream every
                    bounded place says yes or no, and its depth can be read.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        long millis = plan.size("ms of sending", 5, 150, 5_000);
        plan.add("unbounded", () -> round -> overload(round, millis, Integer.MAX_VALUE));
        plan.add("bounded", () -> round -> overload(round, millis, (int) (LIMIT_NANOS / WORK_NANOS)));
    }

    @Override
    public Verdict judge(Findings found) {
        double limit = 1.5 * LIMIT_NANOS / 1e6;
        return found.claims(
                () -> found.range("bounded", SLICES, "response ms").atMost(limit, "Bounded, ms at the end:"),
                () -> found.ratio("response ms", "unbounded", SLICES, "bounded", SLICES)
                        .atLeast(5, "Unbounded against bounded at the end:"));
    }

    /** Offers on schedule for {@code millis}; a worker takes each piece for {@link #WORK_NANOS}. */
    private static void overload(Round round, long millis, int bound) throws Exception {
        long interval = WORK_NANOS / OVERLOAD;
        int offers = (int) (millis * 1_000_000 / interval);
        long[] dueNanos = new long[offers];
        AtomicLong accepted = new AtomicLong();
        AtomicLong served = new AtomicLong();
        AtomicBoolean over = new AtomicBoolean();
        double[] sumMillis = new double[SLICES];
        long[] count = new long[SLICES];
        AtomicLong started = new AtomicLong();
        long[] refused = new long[1];
        Crew.runPinned(2, member -> {
            if (member == 0) {
                // Nothing is due before both are there.
                long start = System.nanoTime();
                started.set(start);
                for (int i = 0; i < offers; i++) {
                    long due = start + i * interval;
                    while (System.nanoTime() < due) {
                        Thread.onSpinWait();
                    }
                    long tail = accepted.getPlain();
                    if (tail - served.getAcquire() < bound) {
                        dueNanos[(int) tail] = due;
                        accepted.setRelease(tail + 1);
                    } else {
                        refused[0]++;
                    }
                }
                over.set(true);
            } else {
                for (long i = 0; ; i++) {
                    while (accepted.getAcquire() == i) {
                        if (over.get() && accepted.getAcquire() == i) {
                            return;
                        }
                        Thread.onSpinWait();
                    }
                    long end = System.nanoTime() + WORK_NANOS;
                    while (System.nanoTime() < end) {
                        Thread.onSpinWait();
                    }
                    served.setRelease(i + 1);
                    long due = dueNanos[(int) i];
                    int slice = (int) Math.min(SLICES - 1, (due - started.get()) * SLICES / (millis * 1_000_000));
                    sumMillis[slice] += (System.nanoTime() - due) / 1e6;
                    count[slice]++;
                }
            }
        });
        for (int slice = 0; slice < SLICES; slice++) {
            if (count[slice] > 0) {
                round.record("response ms", slice + 1, sumMillis[slice] / count[slice]);
            }
        }
        round.record("refused %", 100.0 * refused[0] / offers);
        round.check("offered = served + refused", offers, served.get() + refused[0]);
    }
}
