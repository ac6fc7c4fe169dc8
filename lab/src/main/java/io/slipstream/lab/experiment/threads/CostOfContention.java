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
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** B6: the same increments, under more and more protection. */
public final class CostOfContention implements Experiment {
    private static final VarHandle VALUE = find("value");
    private static final VarHandle STEP = find("step");

    @Override
    public Card card() {
        return Card.of("B6", "The cost of contention", Group.THREADS)
                .question(
                        "What does an increment cost with one writer, with a barrier, with CAS and under a lock, alone"
                                + " and contended?")
                .reported(
                        "One thread",
                        "300 ms for 500 M (0.6 ns)",
                        "Westmere 2.4 GHz, September 2011",
                        "register",
                        "one thread",
                        "ns/op")
                .reported(
                        "One thread, memory barrier",
                        "4,700 ms (9.4 ns)",
                        "Westmere 2.4 GHz, September 2011",
                        "barrier",
                        "one thread",
                        "ns/op")
                .reported(
                        "One thread, CAS",
                        "5,700 ms (11 ns)",
                        "Westmere 2.4 GHz, September 2011",
                        "CAS",
                        "one thread",
                        "ns/op")
                .reported(
                        "Two threads, CAS",
                        "18,000 ms (36 ns)",
                        "Westmere 2.4 GHz, September 2011",
                        "CAS",
                        "two threads",
                        "ns/op")
                .reported(
                        "One thread, lock",
                        "10,000 ms (20 ns)",
                        "Westmere 2.4 GHz, September 2011",
                        "lock",
                        "one thread",
                        "ns/op")
                .reported(
                        "Two threads, lock",
                        "118,000 ms (236 ns)",
                        "Westmere 2.4 GHz, September 2011",
                        "lock",
                        "two threads",
                        "ns/op")
                .plot(Plot.bars("ns/op").log())
                .leavesToFull("an increment of a plain field")
                .takes(Duration.ofSeconds(16), Duration.ofMinutes(44))
                .needsCpus(2)
                .rule("Holds when a barrier, CAS and a lock that nobody else wants each cost at least 5 times an"
                        + " increment in a register (reported: 16, 19 and 33), CAS by two threads at least"
                        + " 1.5 times CAS by one"
                        + " (3.2), and"
                        + " a lock of two threads at least 5 times that of one (11.8).")
                .explanation("""
                    A single writer increments in its own cache. A barrier makes it wait until its stores are
                    visible. CAS owns the line for the length of an instruction; with a second thread the line
                    travels. A contended lock adds the arbitration: failed tries, parking, waking.

                    One writer for every piece of state makes the first row true for a whole service. That is what
                    Slipstream's single-threaded logic, its rings and its counters are built on.

                    The article's single thread adds in a register, and so does ours; what it adds is
                    loaded each time, or the compiler would join the steps. The
                    plain increment beside it is a load, an add and a store in memory (opaque mode).\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        long total = plan.size("increments", 1_000, 3_000_000, 500_000_000);
        plan.add("register", "one thread", () -> counter(1, total, CostOfContention::register));
        plan.add("barrier", "one thread", () -> counter(1, total, CostOfContention::barrier));
        plan.add("CAS", "one thread", () -> counter(1, total, CostOfContention::compareAndSet));
        plan.add("CAS", "two threads", () -> counter(2, total / 2, CostOfContention::compareAndSet));
        plan.add("lock", "one thread", () -> counter(1, total, CostOfContention::locked));
        plan.add("lock", "two threads", () -> counter(2, total / 2, CostOfContention::locked));
        if (plan.isComplete()) {
            plan.add("plain", "one thread", () -> counter(1, total, CostOfContention::plain));
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.ratio("ns/op", "barrier", "one thread", "register", "one thread")
                        .atLeast(5, "A barrier against a register:"),
                () -> found.ratio("ns/op", "CAS", "one thread", "register", "one thread")
                        .atLeast(5, "CAS alone against a register:"),
                () -> found.ratio("ns/op", "lock", "one thread", "register", "one thread")
                        .atLeast(5, "A lock nobody else wants against a register:"),
                () -> found.ratio("ns/op", "CAS", "two threads", "CAS", "one thread")
                        .atLeast(1.5, "CAS, two threads against one:"),
                () -> found.ratio("ns/op", "lock", "two threads", "lock", "one thread")
                        .atLeast(5, "A lock, two threads against one:"));
    }

    private interface Loop {
        void run(Counter counter, long times);
    }

    private static Workload counter(int threads, long times, Loop loop) {
        Counter counter = new Counter();
        return round -> {
            counter.value = 0;
            long nanos = Crew.runPinned(threads, member -> loop.run(counter, times));
            round.nanosPerOp(nanos, threads * times);
            round.check("count", threads * times, counter.value);
        };
    }

    private static void register(Counter counter, long times) {
        long value = counter.value;
        for (long i = 0; i < times; i++) {
            value += (long) STEP.getOpaque(counter);
        }
        counter.value = value;
    }

    private static void plain(Counter counter, long times) {
        for (long i = 0; i < times; i++) {
            VALUE.setOpaque(counter, (long) VALUE.getOpaque(counter) + 1);
        }
    }

    private static void barrier(Counter counter, long times) {
        for (long i = 0; i < times; i++) {
            VALUE.setVolatile(counter, (long) VALUE.getVolatile(counter) + 1);
        }
    }

    private static void compareAndSet(Counter counter, long times) {
        for (long i = 0; i < times; i++) {
            long seen;
            do {
                seen = (long) VALUE.getVolatile(counter);
            } while (!VALUE.compareAndSet(counter, seen, seen + 1));
        }
    }

    private static void locked(Counter counter, long times) {
        for (long i = 0; i < times; i++) {
            counter.lock.lock();
            try {
                VALUE.setOpaque(counter, (long) VALUE.getOpaque(counter) + 1);
            } finally {
                counter.lock.unlock();
            }
        }
    }

    private static VarHandle find(String field) {
        try {
            return MethodHandles.lookup().findVarHandle(Counter.class, field, long.class);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a field of this very file is gone", e);
        }
    }

    private static final class Counter {
        private final ReentrantLock lock = new ReentrantLock();
        private long step = 1;
        private long value;
    }
}
