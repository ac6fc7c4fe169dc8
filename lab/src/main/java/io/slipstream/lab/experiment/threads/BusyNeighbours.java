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
import java.util.concurrent.atomic.AtomicLongArray;

/** C6: a broken ring that passes its test, until the machine has other work. */
public final class BusyNeighbours implements Experiment {
    private static final String ALONE = "alone";
    private static final String BUSY = "beside busy threads";
    private static final int TESTS = 5;
    private static final int CAPACITY = 1_024;
    private static final long PACE_NANOS = 1_000;

    @Override
    public Card card() {
        return Card.of("C6", "A test that fails only beside busy threads", Group.THREADS)
                .question("A ring lets its producer overwrite what nobody has read yet. Does its test notice, alone on"
                        + " the machine and beside threads that keep the processors busy?")
                .reported("Alone", "a billion entries, again and again", "August 2011", ALONE, "", "passed %")
                .reported("Beside a few busy processes", "fails consistently", "August 2011", BUSY, "", "passed %")
                .plot(Plot.bars("passed %"))
                .takes(Duration.ofSeconds(6), Duration.ofMinutes(20))
                .needsCpus(2)
                .rule("The source tells no factor, so the line is ours: holds when at least 60 % of the tests pass"
                        + " alone, and at most 40 % beside two busy threads for each processor.")
                .explanation("""
                    A message comes every microsecond, and the ring holds a thousand, so the consumer has a
                    millisecond before it misses one. With a processor of its own it never needs that long. A
                    scheduler that has others to serve takes its processor away for several.

                    A test that passed has seen the schedules of one machine on one day. Explore the others:
                    Slipstream's rings are proved by jcstress and Lincheck, each beside a broken twin that the
                    proof must catch. The article had busy processes; here they are threads, which end with the
                    experiment.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int messages = plan.count("messages of a test", 500, 10_000, 1_000_000);
        plan.add(ALONE, () -> tests(messages, 0));
        plan.add(BUSY, () -> tests(messages, 2 * plan.cpus()));
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.range(ALONE, "", "passed %").atLeast(60, "Tests that passed alone, %:"),
                () -> found.range(BUSY, "", "passed %").atMost(40, "Tests that passed beside busy threads, %:"));
    }

    private static Workload tests(int messages, int busy) {
        return round -> {
            Busy neighbours = new Busy(busy);
            try (neighbours) {
                int passed = 0;
                for (int i = 0; i < TESTS; i++) {
                    passed += lost(messages) == 0 ? 1 : 0;
                }
                round.record("passed %", 100.0 * passed / TESTS);
            }
        };
    }

    /** Messages that were overwritten before they were read. */
    private static long lost(int messages) throws Exception {
        AtomicLongArray ring = new AtomicLongArray(CAPACITY);
        long[] lost = new long[1];
        Crew.run(2, member -> {
            if (member == 0) {
                produce(ring, messages);
            } else {
                lost[0] = consume(ring, messages);
            }
        });
        return lost[0];
    }

    /** Looks at the clock, and not at how far the consumer is: that is what is broken. */
    private static void produce(AtomicLongArray ring, int messages) {
        long due = System.nanoTime();
        for (long number = 1; number <= messages; number++) {
            while (System.nanoTime() < due) {
                Thread.onSpinWait();
            }
            ring.setRelease((int) number % CAPACITY, number);
            due = System.nanoTime() + PACE_NANOS;
        }
    }

    private static long consume(AtomicLongArray ring, int messages) {
        long lost = 0;
        for (long number = 1; number <= messages; number++) {
            long found = ring.getAcquire((int) number % CAPACITY);
            while (found < number) {
                Thread.onSpinWait();
                found = ring.getAcquire((int) number % CAPACITY);
            }
            lost += found == number ? 0 : 1;
        }
        return lost;
    }

    /** Threads that do nothing, as fast as they can. */
    private static final class Busy implements AutoCloseable {
        private volatile boolean isClosed;

        Busy(int count) {
            for (int i = 0; i < count; i++) {
                Thread thread = new Thread(this::spin, "busy-" + i);
                thread.setDaemon(true);
                thread.start();
            }
        }

        private void spin() {
            while (!isClosed) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }
}
