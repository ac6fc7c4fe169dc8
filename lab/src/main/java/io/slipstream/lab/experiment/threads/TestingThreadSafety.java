package io.slipstream.lab.experiment.threads;

import io.slipstream.lab.Card;
import io.slipstream.lab.Crew;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import java.time.Duration;
import java.util.List;

/** B20: a broken counter, and the tests that it passes. */
public final class TestingThreadSafety implements Experiment {
    private static final int SHORT_TESTS = 20;
    private static final int SHORT_INCREMENTS = 20;

    @Override
    public Card card() {
        return Card.of("B20", "Testing thread safety", Group.THREADS)
                .question("Several threads increment a volatile field without a lock. How many increments are lost, and"
                        + " does a test notice?")
                .reported("Two threads and more", "loses updates", "August 2011", "long test", 2, "lost %")
                .reported(
                        "Broken code under test (another program)",
                        "passed repeatedly, failed a couple of days later",
                        "August 2011",
                        "short tests that passed",
                        2,
                        "passed %")
                .plot(Plot.bars("lost %"))
                .plot(Plot.bars("passed %"))
                .takes(Duration.ofSeconds(6), Duration.ofMinutes(2))
                .needsCpus(2)
                .rule("Holds when one thread loses nothing, two lose at least 1 % in a long test, and at least one"
                        + " in twenty short tests passes all the same.")
                .explanation("""
                    An increment is a read, an addition and a write. Volatile orders each of them and joins none,
                    so two threads that read the same value write the same successor. In a test of a few dozen
                    increments one thread is often done before the other has started, and the test passes.

                    A passing stress test proves nothing; a tool that explores the interleavings does.
                    Slipstream's own concurrent classes each come with such a proof, and with a broken twin that
                    the proof must catch.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int increments = plan.count("increments", 1_000, 1_000_000, 20_000_000);
        List<Integer> threads = List.of(1, 2, 4, 8, 16, 32, 64);
        plan.add("long test", () -> round -> {
            for (int count : threads) {
                round.record("lost %", count, 100.0 * lost(count, increments / count) / increments);
            }
        });
        plan.add("short tests that passed", () -> round -> {
            for (int count : threads) {
                int passed = 0;
                for (int i = 0; i < SHORT_TESTS; i++) {
                    passed += lost(count, SHORT_INCREMENTS) == 0 ? 1 : 0;
                }
                round.record("passed %", count, 100.0 * passed / SHORT_TESTS);
            }
        });
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.range("long test", 1, "lost %").atMost(0, "One thread lost, %:"),
                () -> found.range("long test", 2, "lost %").atLeast(1, "Two threads lost, %:"),
                () -> found.range("short tests that passed", 2, "passed %").atLeast(5, "Short tests passed, %:"));
    }

    private static long lost(int threads, int times) throws Exception {
        Broken broken = new Broken();
        Crew.run(threads, member -> broken.increment(times));
        return (long) threads * times - broken.value;
    }

    private static final class Broken {
        private volatile int value;

        @SuppressWarnings("NonAtomicVolatileUpdate")
        void increment(int times) {
            for (int i = 0; i < times; i++) {
                value++;
            }
        }
    }
}
