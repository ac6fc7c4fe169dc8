package io.slipstream.lab.experiment.product;

import io.slipstream.core.graph.EventGraph;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.ring.WhenFull;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** P1: events through Slipstream's ring, claimed one by one and ten at a time. */
public final class RingEvents implements Experiment {
    private static final int JDK = 25;
    private static final int CAPACITY = 1 << 16;
    private static final int BATCH = 10;

    @Override
    public Card card() {
        return Card.of("P1", "Slipstream's ring", Group.FLOW)
                .question("How many events a second pass from one thread to another through Slipstream's ring?")
                .reported(
                        "Disruptor 2.0, one by one",
                        "over 50 M events/s",
                        "Sandy Bridge, August 2011",
                        "one by one",
                        "",
                        "events/s")
                .reported(
                        "Disruptor 2.0, claimed in batches",
                        "over 100 M events/s",
                        "Sandy Bridge, August 2011",
                        "ten at a time",
                        "",
                        "events/s")
                .plot(Plot.bars("events/s"))
                .takes(Duration.ofSeconds(4), Duration.ofMinutes(2))
                .needsCpus(2)
                .rule("Holds when 50 million events a second pass one by one, and 100 million in batches of ten.")
                .explanation("""
                    The ring is the article's idea: events that are made once, a publisher that claims a place and
                    publishes it with one ordered store, a handler that takes all that is there as one batch.
                    A claim of ten pays once for what a claim of one pays each time.

                    The publisher backs off while the ring is full and the handler yields while it is empty, as
                    the strategies are by default in the article's system.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int events = plan.count("events", 1_000, 3_000_000, 100_000_000) / BATCH * BATCH;
        plan.add("one by one", () -> events(events, 1)).needsJdk(JDK);
        plan.add("ten at a time", () -> events(events, BATCH)).needsJdk(JDK);
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.range("one by one", "", "events/s").atLeast(50e6, "Events a second, one by one:"),
                () -> found.range("ten at a time", "", "events/s").atLeast(100e6, "Events a second, ten at a time:"));
    }

    private static Workload events(int count, int batch) {
        return round -> {
            RingBuffer<Event> ring =
                    RingBuffer.forOnePublisher(Event::new, CAPACITY, WaitStrategy.yielding(), WhenFull.WAIT);
            CountDownLatch done = new CountDownLatch(1);
            long[] sum = new long[1];
            try (EventGraph<Event> graph = EventGraph.of(ring)) {
                graph.handleEventsWith((event, sequence, endOfBatch) -> {
                    sum[0] += event.value;
                    if (event.value == count - 1L) {
                        done.countDown();
                    }
                });
                graph.start(WaitStrategy.yielding());
                long start = System.nanoTime();
                publish(ring, count, batch);
                if (!done.await(1, TimeUnit.MINUTES)) {
                    throw new IllegalStateException("the last event did not arrive within a minute");
                }
                round.record("events/s", count * 1e9 / (System.nanoTime() - start));
            }
            round.check("sum of the events", (count - 1L) * count / 2, sum[0]);
        };
    }

    private static void publish(RingBuffer<Event> ring, int count, int batch) {
        for (int i = 0; i < count; i += batch) {
            long first = ring.claim(batch);
            for (int j = 0; j < batch; j++) {
                ring.get(first + j).value = i + j;
            }
            ring.publish(first, batch);
        }
    }

    private static final class Event {
        private long value;
    }
}
