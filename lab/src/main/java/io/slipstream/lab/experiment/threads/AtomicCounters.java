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
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** B5: counters incremented by XADD and by CAS, in Java and C++. */
public final class AtomicCounters implements Experiment {

    @Override
    public Card card() {
        return Card.of("B5", "Atomic counters", Group.THREADS)
                .question(
                        "How do an atomic addition and a compare-and-set loop scale when several threads increment one"
                                + " counter?")
                .reported(
                        "XADD, several threads",
                        "levels out, about 100 M/s",
                        "Nehalem, September 2011",
                        "C++ XADD",
                        4,
                        "increments/s")
                .reported(
                        "XADD, several threads",
                        "levels out, about 20 M/s at 3 and more",
                        "Sandy Bridge, September 2011",
                        "C++ XADD",
                        4,
                        "increments/s")
                .reported(
                        "CAS, several threads",
                        "keeps degrading",
                        "Sandy Bridge, September 2011",
                        "Java CAS",
                        4,
                        "increments/s")
                .plot(Plot.lines("increments/s", "threads"))
                .leavesToFull("C++ with one thread, and its plain atomic addition (ADD)")
                .takes(Duration.ofSeconds(18), Duration.ofMinutes(45))
                .growsWithThreads(8)
                .needsCpus(2)
                .rule("Holds when two threads increment with XADD at least 1.3 times as fast as with CAS, in Java"
                        + " and in C++; and, in Java, from two threads to the most that were measured, XADD keeps at"
                        + " least 0.7 of its rate while CAS falls to at most 0.9. The second part needs more than two"
                        + " processors.")
                .explanation("""
                    XADD always succeeds: the core gets the line, adds, and is done. A CAS loop reads, computes
                    and tries; when another core was faster, all of it was in vain, and the line travels once
                    more. The more threads, the more vain tries.

                    Claim sequences with getAndAdd, not with a CAS loop, wherever any number will do. Better
                    still, give every counter one writer: then it is a plain load and an ordered store.
                    Where a claim may be refused, as by a ring that is full, it takes a CAS; claim a batch at a
                    time there, and tries are few.

                    The threads count to one total together, as in the article, so a thread that is let in more
                    often counts more; only the plain addition (ADD), which sees no value, shares it out.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        long total = plan.size("increments", 1_000, 4_000_000, 500_000_000);
        for (int threads : plan.threads(8)) {
            plan.add("Java XADD", threads, () -> counter(threads, total, AtomicCounters::add));
            plan.add("Java CAS", threads, () -> counter(threads, total, AtomicCounters::compareAndSet));
            if (threads == 1 && !plan.isComplete()) {
                continue;
            }
            for (String way : plan.isComplete() ? List.of("XADD", "CAS", "ADD") : List.of("XADD", "CAS")) {
                plan.addTwin("C++ " + way, threads, "atomic_counter.cpp", way, threads, total);
            }
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.ratio("increments/s", "Java XADD", 2, "Java CAS", 2)
                        .atLeast(1.3, "XADD against CAS in Java:"),
                () -> found.ratio("increments/s", "C++ XADD", 2, "C++ CAS", 2).atLeast(1.3, "XADD against CAS in C++:"),
                () -> withMoreThreads(found));
    }

    private static Verdict withMoreThreads(Findings found) {
        int most = found.xs("increments/s").stream()
                .mapToInt(Integer::parseInt)
                .max()
                .orElse(0);
        if (most <= 2) {
            return Verdict.cannotTell("How both go on with more threads takes more than two processors.");
        }
        return Verdict.all(
                found.ratio("increments/s", "Java XADD", most, "Java XADD", 2)
                        .atLeast(0.7, "XADD by " + most + " threads against two:"),
                found.ratio("increments/s", "Java CAS", most, "Java CAS", 2)
                        .atMost(0.9, "CAS by " + most + " threads against two:"));
    }

    private interface Loop {
        void run(AtomicLong counter, long total);
    }

    private static Workload counter(int threads, long total, Loop loop) {
        AtomicLong counter = new AtomicLong();
        return round -> {
            counter.set(0);
            long nanos = Crew.runPinned(threads, member -> loop.run(counter, total));
            round.record("increments/s", counter.get() * 1e9 / nanos);
            long late = counter.get() - total;
            round.check("increments of the others after the last", Math.min(Math.max(0, late), threads - 1), late);
        };
    }

    private static void add(AtomicLong counter, long total) {
        while (counter.getAndAdd(1) + 1 < total) {}
    }

    private static void compareAndSet(AtomicLong counter, long total) {
        long seen;
        do {
            do {
                seen = counter.get();
            } while (!counter.compareAndSet(seen, seen + 1));
        } while (seen + 1 < total);
    }
}
