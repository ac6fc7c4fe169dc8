package io.slipstream.lab.experiment.threads;

import io.slipstream.lab.Card;
import io.slipstream.lab.Crew;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** B17: five ways to increment a shared counter, one thread per processor. */
public final class LockingStrategies implements Experiment {
    private static final String MACHINE = "16 cores, Linux, November 2013";

    @Override
    public Card card() {
        return Card.of("B17", "Five locking strategies", Group.THREADS)
                .question("With one thread on every processor, which of five ways to increment a shared counter is the"
                        + " least bad?")
                .reported(
                        "Atomic increment, 16 threads",
                        "2,170 ± 150 ms for 2 M in all (1,085 ns)",
                        MACHINE,
                        "atomic increment",
                        "all",
                        "ns/op")
                .reported(
                        "synchronized, 16 threads",
                        "2,475 ± 53 ms for 2 M in all (1,238 ns)",
                        MACHINE,
                        "synchronized",
                        "all",
                        "ns/op")
                .reported(
                        "Atomic reference of Integer, 16 threads",
                        "3,319 ± 275 ms for 2 M in all (1,660 ns)",
                        MACHINE,
                        "atomic reference",
                        "all",
                        "ns/op")
                .reported(
                        "Spin lock, 16 threads",
                        "3,519 ± 713 ms for 2 M in all (1,760 ns)",
                        MACHINE,
                        "spin lock",
                        "all",
                        "ns/op")
                .reported(
                        "ReentrantLock, 16 threads",
                        "3,690 ± 245 ms for 2 M in all (1,845 ns)",
                        MACHINE,
                        "ReentrantLock",
                        "all",
                        "ns/op")
                .reported(
                        "Atomic increment, one thread",
                        "20 ms for 2 M (10 ns)",
                        MACHINE,
                        "atomic increment",
                        "one",
                        "ns/op")
                .reported("synchronized, one thread", "7 ms for 2 M (3.5 ns)", MACHINE, "synchronized", "one", "ns/op")
                .reported(
                        "Atomic reference of Integer, one thread",
                        "21 ms for 2 M (10.5 ns)",
                        MACHINE,
                        "atomic reference",
                        "one",
                        "ns/op")
                .reported("Spin lock, one thread", "23 ms for 2 M (11.5 ns)", MACHINE, "spin lock", "one", "ns/op")
                .reported(
                        "ReentrantLock, one thread",
                        "29 ms for 2 M (14.5 ns)",
                        MACHINE,
                        "ReentrantLock",
                        "one",
                        "ns/op")
                .plot(Plot.bars("ns/op").log())
                .takes(Duration.ofSeconds(12), Duration.ofMinutes(3))
                .grows(Math.max(1, Runtime.getRuntime().availableProcessors() / 2.0))
                .needsCpus(4)
                .rule("Holds when, with a thread on every processor, the atomic increment is at least as fast as"
                        + " each of the four others; and, alone, it takes at least 1.5 times as long as synchronized"
                        + " (reported: 2.9, when locks were biased).")
                .explanation("""
                    All five serialise on one cache line, so none gets faster with more threads; they differ in
                    how much they add to the line's travels. A spin lock whose owner loses its processor makes
                    everyone wait for the scheduler, which shows as its spread.

                    When counters must be shared, keep one for each thread and add them up when somebody asks.

                    All threads together count to one total, as in the article: a thread that is let in more often
                    counts more. The JIT compiler may not join several turns with the monitor to one
                    (-XX:-EliminateLocks), or one thread would seem to pay nothing for it.

                    The article waited for four seconds, threw one run away and kept ten. Here the rounds of two or
                    three JVMs count, each on counters of its own, after a warm-up.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        long total = plan.size("increments of all threads together", 500, 500_000, 2_000_000);
        plan.add("atomic increment", () -> run(plan.cpus(), total, Atomic::new));
        plan.add("synchronized", () -> run(plan.cpus(), total, Monitored::new)).jvm("-XX:-EliminateLocks");
        plan.add("atomic reference", () -> run(plan.cpus(), total, Reference::new));
        plan.add("spin lock", () -> run(plan.cpus(), total, Spinning::new));
        plan.add("ReentrantLock", () -> run(plan.cpus(), total, Locked::new));
    }

    @Override
    public Verdict judge(Findings found) {
        List<Findings.Claim> claims = new ArrayList<>();
        for (String other : List.of("synchronized", "atomic reference", "spin lock", "ReentrantLock")) {
            claims.add(() -> found.ratio("ns/op", other, "all", "atomic increment", "all")
                    .atLeast(1, other + " against atomic increment:"));
        }
        claims.add(() -> found.ratio("ns/op", "atomic increment", "one", "synchronized", "one")
                .atLeast(1.5, "Alone, atomic increment against synchronized:"));
        return found.claims(claims);
    }

    /** One thread, then all of them, each time on a counter that the others never saw. */
    private static Workload run(int cpus, long total, Supplier<Strategy> source) {
        return round -> {
            round.record("ns/op", "one", nanosPerOp(round, 1, total, source.get()));
            round.record("ns/op", "all", nanosPerOp(round, cpus, total, source.get()));
        };
    }

    /** A thread stops when it sees the total, or more: each but one may have come too late for it. */
    private static double nanosPerOp(Round round, int threads, long total, Strategy strategy) throws Exception {
        long nanos = Crew.run(threads, member -> {
            while (strategy.increment() < total) {}
        });
        long late = strategy.value() - total;
        round.check("increments of the others after the last", Math.min(Math.max(0, late), threads - 1), late);
        return (double) nanos / strategy.value();
    }

    private interface Strategy {
        /** Returns the new value. */
        long increment();

        long value();
    }

    private static final class Atomic implements Strategy {
        private final AtomicLong value = new AtomicLong();

        @Override
        public long increment() {
            return value.incrementAndGet();
        }

        @Override
        public long value() {
            return value.get();
        }
    }

    private static final class Monitored implements Strategy {
        private long value;

        @Override
        public synchronized long increment() {
            return ++value;
        }

        @Override
        public synchronized long value() {
            return value;
        }
    }

    private static final class Reference implements Strategy {
        private final AtomicReference<Integer> value = new AtomicReference<>(0);

        @Override
        // The very Integer that was read is compared: that is the strategy under test.
        @SuppressWarnings("PrimitiveAtomicReference")
        public long increment() {
            Integer seen;
            do {
                seen = value.get();
            } while (!value.compareAndSet(seen, seen + 1));
            return seen + 1;
        }

        @Override
        public long value() {
            return value.get();
        }
    }

    private static final class Spinning implements Strategy {
        private final AtomicBoolean taken = new AtomicBoolean();
        private long value;

        @Override
        public long increment() {
            while (!taken.compareAndSet(false, true)) {
                Thread.onSpinWait();
            }
            long now = ++value;
            taken.set(false);
            return now;
        }

        @Override
        public long value() {
            return value;
        }
    }

    private static final class Locked implements Strategy {
        private final ReentrantLock lock = new ReentrantLock();
        private long value;

        @Override
        public long increment() {
            lock.lock();
            try {
                return ++value;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public long value() {
            return value;
        }
    }
}
