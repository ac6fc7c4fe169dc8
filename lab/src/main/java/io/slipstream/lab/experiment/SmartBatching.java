package io.slipstream.lab.experiment;

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
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/** B11: bursts of messages for a device that takes 100 µs for each send, however much is sent. */
final class SmartBatching implements Experiment {
    private static final long SEND_NANOS = 100_000;
    private static final int BURST = 10;
    private static final int[] RATES = {1_000, 4_000, 8_000, 20_000, 50_000};

    @Override
    public Card card() {
        return Card.of("B11", "Smart batching", Group.FLOW)
                .question("Ten messages arrive at once, and a send takes 100 µs. What does it change to send whatever"
                        + " has queued up with one send?")
                .reported(
                        "One by one: best, mean, worst",
                        "100 / 500 / 1,000 µs, 10 packets",
                        "by calculation, 2011",
                        "one by one",
                        "",
                        "mean µs")
                .reported(
                        "Smart batching: best, mean, worst",
                        "100 / 150 (190) / 200 µs, 1–2 packets",
                        "by calculation, 2011",
                        "smart batching",
                        "",
                        "mean µs")
                .plot(Plot.bars("mean µs"))
                .plot(Plot.bars("worst µs"))
                .plot(Plot.lines("latency µs", "messages/s offered"))
                .takes(Duration.ofSeconds(9), Duration.ofMinutes(9))
                .needsCpus(2)
                .rule("Holds when smart batching's mean latency of a burst is at most 0.5, and its worst at most 0.3"
                        + " of sending one by one.")
                .explanation("""
                        The batcher never waits: it sends what is there. While that send is under way, more queues up,
                        and goes with the next one. The busier it gets, the larger the batches and the cheaper each
                        message. Latency stays flat (a bathtub) where one-by-one sending climbs without end once more
                        arrives than the device can take: 10,000 a second here.

                        The offered rate is kept whatever the answers do, and latency counts from the moment a message
                        was due, so that a stall is seen by every message behind it. In Slipstream a handler appends
                        on each event and flushes at the end of a batch.""");
    }

    @Override
    public void plan(Plan plan) {
        int bursts = plan.count(2, 60, 1_000);
        long millis = plan.size(2, 20, 1_000);
        plan.add("one by one", () -> round -> run(round, bursts, millis, 1));
        plan.add("smart batching", () -> round -> run(round, bursts, millis, Integer.MAX_VALUE));
    }

    @Override
    public Verdict judge(Findings found) {
        return Verdict.all(
                found.ratio("mean µs", "smart batching", "one by one")
                        .atMost(0.5, "Mean latency, batching against one by one:"),
                found.ratio("worst µs", "smart batching", "one by one").atMost(0.3, "Worst latency:"));
    }

    private static void run(Round round, int bursts, long millis, int limit) throws Exception {
        Histogram burst = new Histogram(3);
        long sends = exchange(bursts * BURST, limit, burst, i -> i / BURST * BURST * 2 * SEND_NANOS);
        round.record("mean µs", burst.getMean() / 1e3);
        round.record("worst µs", burst.getValueAtPercentile(95) / 1e3);
        round.record("packets a burst", (double) sends / bursts);
        for (int rate : RATES) {
            Histogram latency = new Histogram(3);
            exchange((int) Math.max(2, rate * millis / 1000), limit, latency, i -> i * 1_000_000_000L / rate);
            round.record("latency µs", rate, latency.getMean() / 1e3);
        }
    }

    private interface Schedule {
        /** When message {@code i} is due, in nanoseconds after the start. */
        long dueNanos(long i);
    }

    /**
     * One thread offers messages on schedule, the other sends them in batches of at most {@code limit}; returns the
     * number of sends.
     */
    private static long exchange(int count, int limit, Histogram latencyNanos, Schedule schedule) throws Exception {
        AtomicLong offered = new AtomicLong();
        long[] sends = new long[1];
        long start = System.nanoTime() + 200_000;
        Crew.run(2, member -> {
            if (member == 0) {
                for (int i = 0; i < count; i++) {
                    spinUntil(start + schedule.dueNanos(i));
                    offered.set(i + 1L);
                }
            } else {
                long sent = 0;
                while (sent < count) {
                    long available = Math.min(offered.get() - sent, limit);
                    if (available == 0) {
                        Thread.onSpinWait();
                        continue;
                    }
                    long end = System.nanoTime() + SEND_NANOS;
                    spinUntil(end);
                    sends[0]++;
                    for (long i = sent; i < sent + available; i++) {
                        latencyNanos.recordValue(Math.max(0, System.nanoTime() - start - schedule.dueNanos(i)));
                    }
                    sent += available;
                }
            }
        });
        return sends[0];
    }

    private static void spinUntil(long nanos) {
        while (System.nanoTime() < nanos) {
            Thread.onSpinWait();
        }
    }
}
