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
import java.util.concurrent.locks.ReentrantLock;

/** B7: synchronized with and without biased locking, and ReentrantLock. */
public final class LockImplementations implements Experiment {
    private static final int LAST_JDK_WITH_BIAS = 17;
    private static final String NEHALEM = "Nehalem 2.8 GHz, November 2011";

    /** Takes every lock, where the compiler would else take it once for several steps of a loop. */
    private static final String EVERY_LOCK = "-XX:-EliminateLocks";

    @Override
    public Card card() {
        return Card.of("B7", "Lock implementations", Group.THREADS)
                .question("Which lock is fastest alone, which under contention, and what did biased locking give?")
                .reported(
                        "synchronized, 1 thread",
                        "53 M/s; Sandy Bridge 34.5 M/s",
                        NEHALEM,
                        "synchronized",
                        1,
                        "increments/s")
                .reported(
                        "synchronized, biased, 1 thread",
                        "451 M/s; Sandy Bridge 396.5 M/s",
                        NEHALEM,
                        "synchronized, biased",
                        1,
                        "increments/s")
                .reported(
                        "ReentrantLock, 1 thread",
                        "63 M/s; Sandy Bridge 43.1 M/s",
                        NEHALEM,
                        "ReentrantLock",
                        1,
                        "increments/s")
                .reported(
                        "synchronized, 2 threads",
                        "18.5 M/s; Sandy Bridge 20.9 M/s",
                        NEHALEM,
                        "synchronized",
                        2,
                        "increments/s")
                .reported(
                        "synchronized, biased, 2 threads",
                        "18.1 M/s; Sandy Bridge 19.7 M/s",
                        NEHALEM,
                        "synchronized, biased",
                        2,
                        "increments/s")
                .reported(
                        "ReentrantLock, 2 threads",
                        "10.2 M/s; Sandy Bridge 6.0 M/s",
                        NEHALEM,
                        "ReentrantLock",
                        2,
                        "increments/s")
                .reported(
                        "synchronized, 4 threads",
                        "8.1 M/s; Sandy Bridge 5.6 M/s",
                        NEHALEM,
                        "synchronized",
                        4,
                        "increments/s")
                .reported(
                        "synchronized, biased, 4 threads",
                        "8.0 M/s; Sandy Bridge 5.6 M/s",
                        NEHALEM,
                        "synchronized, biased",
                        4,
                        "increments/s")
                .reported(
                        "ReentrantLock, 4 threads",
                        "14.2 M/s; Sandy Bridge 9.1 M/s",
                        NEHALEM,
                        "ReentrantLock",
                        4,
                        "increments/s")
                .reported(
                        "synchronized, 8 threads",
                        "5.5 M/s; Sandy Bridge 7.0 M/s",
                        NEHALEM,
                        "synchronized",
                        8,
                        "increments/s")
                .reported(
                        "synchronized, biased, 8 threads",
                        "5.4 M/s; Sandy Bridge 6.9 M/s",
                        NEHALEM,
                        "synchronized, biased",
                        8,
                        "increments/s")
                .reported(
                        "ReentrantLock, 8 threads",
                        "19.0 M/s; Sandy Bridge 14.8 M/s",
                        NEHALEM,
                        "ReentrantLock",
                        8,
                        "increments/s")
                .plot(Plot.lines("increments/s", "threads"))
                .takes(Duration.ofSeconds(21), Duration.ofMinutes(52))
                .growsWithThreads(8)
                .needsCpus(2)
                .rule("Holds when, alone and both on JDK 17, the last that has biased locking, biased synchronized is"
                        + " at least 3 times as fast as without the bias (reported: 8.5 and 11.5), with two threads"
                        + " synchronized is at least"
                        + " 1.2 times as fast as ReentrantLock (reported: 1.8), and with four ReentrantLock is at"
                        + " least 1.2"
                        + " times as fast as synchronized (reported: 1.75), which takes four processors.")
                .explanation("""
                    Biased locking let the first owner of a lock take it again without an atomic instruction, and
                    made everyone pay dearly when a second thread came. It was removed in JDK 18: atomics had
                    become cheap and the bookkeeping had not.

                    Alone, the JIT compiler would take a monitor once for several steps of the loop (lock
                    coarsening), with bias and without, which it cannot do with a ReentrantLock. It is told not to
                    (-XX:-EliminateLocks), so that each increment takes its lock.

                    Under contention the two locks differ in how long they spin before they park, and in whom they
                    let in first. Letting the same thread in again and again gives the best throughput and the
                    worst latency for the other.

                    No choice of lock is as good as having nothing to lock.

                    The article warmed up by ten short runs in the JVM of the one that counted. Here each case has
                    JVMs of its own, which warm up by whole rounds.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        long total = plan.size("increments", 1_000, 3_000_000, 500_000_000);
        // Biased locking is compared within one JVM.
        plan.add("synchronized, JDK 17", 1, () -> increments(1, total, new Monitored()))
                .jvm(EVERY_LOCK)
                .jdk(LAST_JDK_WITH_BIAS, LAST_JDK_WITH_BIAS);
        plan.add("ReentrantLock, JDK 17", 1, () -> increments(1, total, new Locked()))
                .jdk(LAST_JDK_WITH_BIAS, LAST_JDK_WITH_BIAS);
        for (int threads : plan.threads(8)) {
            plan.add("synchronized", threads, () -> increments(threads, total, new Monitored()))
                    .jvm(EVERY_LOCK);
            plan.add("synchronized, biased", threads, () -> increments(threads, total, new Monitored()))
                    .jvm(EVERY_LOCK, "-XX:+UseBiasedLocking", "-XX:BiasedLockingStartupDelay=0")
                    .jdk(LAST_JDK_WITH_BIAS, LAST_JDK_WITH_BIAS);
            plan.add("ReentrantLock", threads, () -> increments(threads, total, new Locked()));
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.ratio("increments/s", "synchronized, biased", 1, "synchronized, JDK 17", 1)
                        .atLeast(3, "Biased against not biased, alone, both on JDK 17:"),
                () -> found.ratio("increments/s", "synchronized", 2, "ReentrantLock", 2)
                        .atLeast(1.2, "synchronized against ReentrantLock, two threads:"),
                () -> withMoreThreads(found));
    }

    private static Verdict withMoreThreads(Findings found) {
        return found.find("ReentrantLock", 4, "increments/s") == null
                ? Verdict.cannotTell("How they compare with more threads takes four processors.")
                : found.ratio("increments/s", "ReentrantLock", 4, "synchronized", 4)
                        .atLeast(1.2, "ReentrantLock against synchronized, four threads:");
    }

    private static Workload increments(int threads, long total, Counter counter) {
        long each = total / threads;
        return round -> {
            long before = counter.value();
            long nanos = Crew.runPinned(threads, member -> counter.increment(each));
            round.record("increments/s", each * threads * 1e9 / nanos);
            round.check("count", each * threads, counter.value() - before);
        };
    }

    private interface Counter {
        void increment(long times);

        long value();
    }

    private static final class Monitored implements Counter {
        private long value;

        @Override
        public void increment(long times) {
            for (long i = 0; i < times; i++) {
                one();
            }
        }

        private synchronized void one() {
            value++;
        }

        /** Without the lock, whose bias another thread would take; the threads that count have ended. */
        @Override
        public long value() {
            return value;
        }
    }

    private static final class Locked implements Counter {
        private final ReentrantLock lock = new ReentrantLock();
        private long value;

        @Override
        public void increment(long times) {
            for (long i = 0; i < times; i++) {
                lock.lock();
                try {
                    value++;
                } finally {
                    lock.unlock();
                }
            }
        }

        @Override
        public long value() {
            return value;
        }
    }
}
