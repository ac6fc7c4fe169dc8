package io.slipstream.lab.experiment.flow;

import io.slipstream.lab.Card;
import io.slipstream.lab.Crew;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Sample;
import io.slipstream.lab.Verdict;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/** B11: bursts of messages for a device that takes 100 µs for each send, however much is sent. */
public final class SmartBatching implements Experiment {
    private static final long SEND_NANOS = 100_000;
    private static final int BURST = 10;

    /** What an Ethernet frame holds of messages of 60 bytes, beside the headers of IP and UDP. */
    private static final int MTU_MESSAGES = (1_500 - 28) / 60;

    private static final int[] RATES = {1_000, 4_000, 8_000, 20_000, 50_000, 400_000};

    @Override
    public Card card() {
        return Card.of("B11", "Smart batching", Group.FLOW)
                .question("Ten messages arrive at once, and a send takes 100 µs. What does it change to send whatever"
                        + " has queued up with one send?")
                .reported("One by one, mean", "500 µs", "by calculation, October 2011", "one by one", "", "mean µs")
                .reported("One by one, best", "100 µs", "by calculation, October 2011", "one by one", "", "best µs")
                .reported("One by one, worst", "1,000 µs", "by calculation, October 2011", "one by one", "", "worst µs")
                .reported(
                        "One by one, packets",
                        "10",
                        "by calculation, October 2011",
                        "one by one",
                        "",
                        "packets a burst")
                .reported(
                        "Smart batching, latency until the device is saturated",
                        "constant",
                        "in words, October 2011",
                        "smart batching",
                        50_000,
                        "latency µs")
                .reported(
                        "Smart batching, best",
                        "100 µs",
                        "by calculation, October 2011",
                        "smart batching",
                        "",
                        "best µs")
                .reported(
                        "Smart batching, mean",
                        "150 µs (at worst 190)",
                        "by calculation, October 2011",
                        "smart batching",
                        "",
                        "mean µs")
                .reported(
                        "Smart batching, worst",
                        "200 µs",
                        "by calculation, October 2011",
                        "smart batching",
                        "",
                        "worst µs")
                .reported(
                        "Smart batching, packets",
                        "1 to 2",
                        "by calculation, October 2011",
                        "smart batching",
                        "",
                        "packets a burst")
                .plot(Plot.bars("mean µs"))
                .plot(Plot.bars("worst µs"))
                .plot(Plot.lines("latency µs", "messages/s offered"))
                .takes(Duration.ofSeconds(8), Duration.ofMinutes(8))
                .needsCpus(2)
                .regardlessOfDistance()
                .rule("Holds when smart batching's mean latency of a burst is at most 0.5, its worst at most 0.3,"
                        + " and its packets at most 0.3 of sending one by one; at 20,000 messages a second, twice what"
                        + " one by one can take, its latency is at most 0.5 of that; and the bathtub has its shape:"
                        + " at 50,000 at most 3 times the latency at 1,000, and at 400,000, more than the device"
                        + " takes, at least 3 times that at 50,000.")
                .explanation("""
                    The batcher never waits: it sends what is there. While that send is under way, more queues up,
                    and goes with the next one. The busier it gets, the larger the batches and the cheaper each
                    message. Latency stays flat (a bathtub) where one-by-one sending climbs without end once more
                    arrives than the device can take: 10,000 a second here.

                    A batch holds what fits into an Ethernet frame, 24 messages of 60 bytes, so that this device
                    too has its end: 240,000 a second.

                    Best, mean and worst are those of a burst, in the median of all bursts.

                    The offered rate is kept whatever the answers do, and latency counts from the moment a message
                    was due, so that a stall is seen by every message behind it. In Slipstream a handler appends
                    on each event and flushes at the end of a batch.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int bursts = plan.count("bursts", 2, 60, 1_000);
        long millis = plan.size("ms at each rate", 2, 20, 1_000);
        plan.add("one by one", () -> round -> run(round, bursts, millis, 1));
        plan.add("smart batching", () -> round -> run(round, bursts, millis, MTU_MESSAGES));
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.ratio("mean µs", "smart batching", "one by one")
                        .atMost(0.5, "Mean latency, batching against one by one:"),
                () -> found.ratio("worst µs", "smart batching", "one by one").atMost(0.3, "Worst latency:"),
                () -> found.ratio("packets a burst", "smart batching", "one by one")
                        .atMost(0.3, "Packets:"),
                () -> found.ratio("latency µs", "smart batching", 20_000, "one by one", 20_000)
                        .atMost(0.5, "Latency at 20,000 messages a second:"),
                () -> found.ratio("latency µs", "smart batching", 50_000, "smart batching", 1_000)
                        .atMost(3, "Smart batching, 50,000 a second against 1,000:"),
                () -> found.ratio("latency µs", "smart batching", 400_000, "smart batching", 50_000)
                        .atLeast(3, "Beyond what the device takes, 400,000 against 50,000:"));
    }

    private static void run(Round round, int bursts, long millis, int limit) throws Exception {
        double[] best = new double[bursts];
        double[] mean = new double[bursts];
        double[] worst = new double[bursts];
        Arrays.fill(best, Double.MAX_VALUE);
        Latency inBurst = (i, nanos) -> {
            int burst = (int) (i / BURST);
            best[burst] = Math.min(best[burst], nanos / 1e3);
            worst[burst] = Math.max(worst[burst], nanos / 1e3);
            mean[burst] += nanos / 1e3 / BURST;
        };
        long sends = exchange(bursts * BURST, limit, inBurst, i -> i / BURST * BURST * 2 * SEND_NANOS);
        // Those of the burst in the middle: one that the system interrupted says nothing about batching.
        round.record("best µs", Sample.of(best).median());
        round.record("mean µs", Sample.of(mean).median());
        round.record("worst µs", Sample.of(worst).median());
        round.record("packets a burst", (double) sends / bursts);
        for (int rate : RATES) {
            int messages = (int) Math.max(2, rate * millis / 1000);
            double[] sum = new double[1];
            exchange(messages, limit, (i, nanos) -> sum[0] += nanos / 1e3, i -> i * 1_000_000_000L / rate);
            round.record("latency µs", rate, sum[0] / messages);
        }
    }

    private interface Schedule {
        /** When message {@code i} is due, in nanoseconds after the start. */
        long dueNanos(long i);
    }

    private interface Latency {
        /** Called by the sender, for one message after the other. */
        void record(long i, long nanos);
    }

    /**
     * One thread offers messages on schedule, the other sends them in batches of at most {@code limit}; returns the
     * number of sends.
     */
    private static long exchange(int count, int limit, Latency latency, Schedule schedule) throws Exception {
        AtomicLong offered = new AtomicLong();
        long[] sends = new long[1];
        AtomicLong started = new AtomicLong();
        Crew.runPinned(2, member -> {
            if (member == 0) {
                // Nothing is due before both are there.
                long start = System.nanoTime();
                started.set(start);
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
                        latency.record(i, System.nanoTime() - started.get() - schedule.dueNanos(i));
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
