package io.slipstream.lab.experiment.product;

import io.slipstream.core.executor.LockFreeExecutor;
import io.slipstream.core.executor.RejectionPolicy;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** P3: small tasks through Slipstream's executor and through the JDK's. */
public final class ExecutorTasks implements Experiment {
    private static final int JDK = 25;
    private static final String OURS = "Slipstream";
    private static final String THEIRS = "ThreadPoolExecutor";

    @Override
    public Card card() {
        return Card.of("P3", "Slipstream's executor", Group.FLOW)
                .question("Two threads submit small tasks to one worker. How many a second does Slipstream's executor"
                        + " run, and how many the JDK's?")
                .reported("A lock-free executor", "about 10 times the JDK's", "March 2012", OURS, "", "tasks/s")
                .plot(Plot.bars("tasks/s"))
                .takes(Duration.ofSeconds(4), Duration.ofMinutes(2))
                .needsCpus(2)
                .rule("Holds when Slipstream's executor runs at least 5 times as many tasks as the JDK's (reported:"
                        + " about 10).")
                .explanation("""
                    The JDK's pool hands each task over under a lock, and wakes a worker for it; submitters and the
                    worker meet at that lock. A lock-free queue costs a submitter one atomic addition, and wakes
                    the worker only where it sleeps.

                    Where tasks are this small, do not hand them over one by one at all: a ring and one thread that
                    owns the state need no executor.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int tasks = plan.count("tasks", 100, 300_000, 20_000_000) / 2 * 2;
        plan.add(
                        OURS,
                        () -> tasks(
                                tasks,
                                () -> LockFreeExecutor.builder()
                                        .rejectionPolicy(RejectionPolicy.waitAtMost(Duration.ofMinutes(1)))
                                        .build()))
                .needsJdk(JDK);
        plan.add(THEIRS, () -> tasks(tasks, () -> Executors.newFixedThreadPool(1)))
                .needsJdk(JDK);
    }

    @Override
    public Verdict judge(Findings found) {
        return found.ratio("tasks/s", OURS, THEIRS).atLeast(5, "Slipstream's executor against the JDK's:");
    }

    private static Workload tasks(int count, Supplier<ExecutorService> source) {
        return round -> {
            LongAdder runs = new LongAdder();
            ExecutorService executor = source.get();
            long start = System.nanoTime();
            try {
                Crew.run(2, member -> {
                    for (int i = 0; i < count / 2; i++) {
                        executor.execute(runs::increment);
                    }
                });
            } finally {
                executor.shutdown();
            }
            if (!executor.awaitTermination(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("the tasks were not done within a minute");
            }
            round.record("tasks/s", count * 1e9 / (System.nanoTime() - start));
            round.check("tasks that were run", count, runs.sum());
        };
    }
}
