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
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** C2: an unbounded concurrent queue, with and without a count of what is in it. */
public final class SizeTrackedQueue implements Experiment {
    private static final String PLAIN = "queue";
    private static final String TRACKED = "queue with its size";

    @Override
    public Card card() {
        return Card.of("C2", "A queue that knows its size", Group.THREADS)
                .question("ConcurrentLinkedQueue has no bound. What does it cost to count what is in it, so that a"
                        + " producer can be held back?")
                .reported("Tracking the size", "50 % more", "October 2011", TRACKED, "two threads", "ns/op")
                .plot(Plot.bars("ns/op"))
                .takes(Duration.ofSeconds(5), Duration.ofMinutes(3))
                .needsCpus(2)
                .rule("Holds when, between two threads, the queue with its size takes at least 1.25 times as long as"
                        + " the queue alone (reported: 1.5).")
                .explanation("""
                    The count is a cache line that producer and consumer both write, with an atomic instruction
                    each: one more line that travels for each message. A producer that is held back also leaves the
                    consumer less to allocate and to collect, so the counted queue may win where it stays short.

                    Take a bounded queue or a ring, whose sequences are its size: each has one writer, and the
                    other side looks at it only when it must.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int messages = plan.count("messages", 100, 300_000, 20_000_000);
        plan.add(PLAIN, () -> exchange(messages, false));
        plan.add(TRACKED, () -> exchange(messages, true));
    }

    @Override
    public Verdict judge(Findings found) {
        return found.ratio("ns/op", TRACKED, "two threads", PLAIN, "two threads")
                .atLeast(1.25, "With its size against without:");
    }

    private static Workload exchange(int messages, boolean tracked) {
        return round -> {
            Tracked queue = new Tracked(tracked);
            long start = System.nanoTime();
            long alone = 0;
            for (int i = 0; i < messages; i++) {
                queue.offer(1);
                alone += queue.take();
            }
            round.record("ns/op", "one thread", (double) (System.nanoTime() - start) / messages);
            long[] sum = new long[1];
            long nanos = Crew.runPinned(2, member -> {
                if (member == 0) {
                    for (int i = 0; i < messages; i++) {
                        queue.offer(i);
                    }
                } else {
                    sum[0] = queue.takeAll(messages);
                }
            });
            round.record("ns/op", "two threads", (double) nanos / messages);
            round.check("messages of one thread", messages, alone);
            round.check("sum of what came over", (messages - 1L) * messages / 2, sum[0]);
            round.check("left over", 0, queue.size.get());
        };
    }

    private static final class Tracked {
        private final ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
        private final AtomicInteger size = new AtomicInteger();
        private final boolean isTracked;

        Tracked(boolean isTracked) {
            this.isTracked = isTracked;
        }

        void offer(int message) {
            queue.offer(message);
            if (isTracked) {
                size.incrementAndGet();
            }
        }

        /** The message, or -1 where there is none. */
        int take() {
            @Nullable Integer message = queue.poll();
            if (message == null) {
                return -1;
            }
            if (isTracked) {
                size.decrementAndGet();
            }
            return message;
        }

        long takeAll(int messages) {
            long sum = 0;
            for (int i = 0; i < messages; ) {
                int message = take();
                if (message < 0) {
                    Thread.onSpinWait();
                } else {
                    sum += message;
                    i++;
                }
            }
            return sum;
        }
    }
}
