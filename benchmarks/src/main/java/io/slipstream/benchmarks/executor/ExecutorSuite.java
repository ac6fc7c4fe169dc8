package io.slipstream.benchmarks.executor;

import io.slipstream.benchmarks.suite.Comparison;
import io.slipstream.benchmarks.suite.Plan;
import io.slipstream.benchmarks.suite.Suite;
import io.slipstream.benchmarks.suite.Unit;
import io.slipstream.core.executor.LockFreeExecutor;
import io.slipstream.core.executor.RejectionPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Supplier;

/** The lock-free executor. The peers' queues have no bound; ours makes its submitters wait for a place. */
public final class ExecutorSuite implements Suite {
    /** Enough that more of them raise nobody's rate. */
    private static final int TASKS_PER_ROUND = 6_000_000;

    private static final int STRIPES = 4;
    private static final String FORK_JOIN = "ForkJoinPool(1)";
    private static final String VIRTUAL_THREADS = "virtual threads";
    private static final Unit TASKS = Unit.throughput("M tasks/s");

    @Override
    public String name() {
        return "executor";
    }

    @Override
    public List<String> jvmOptions() {
        return List.of("-Dsun.net.httpserver.nodelay=true", "-Xms3g", "-Xmx3g");
    }

    @Override
    public List<Comparison> comparisons(boolean quick) {
        Plan plan = Plan.of(quick);
        List<Comparison> all = new ArrayList<>();
        for (int submitters : new int[] {1, 2, 4}) {
            String name = "1 worker, " + submitters + (submitters == 1 ? " submitter" : " submitters");
            all.add(tasks(
                    name, "ThreadPoolExecutor(1)", 10.0, plan, 1, submitters, () -> Executors.newFixedThreadPool(1)));
            all.add(tasks(name, FORK_JOIN, 3.0, plan, 1, submitters, () -> forkJoin(1)));
            all.add(tasks(name, VIRTUAL_THREADS, 5.0, plan, 1, submitters, Executors::newVirtualThreadPerTaskExecutor));
            if (submitters > 1) {
                all.add(new Comparison(
                        name + ", in " + STRIPES + " stripes",
                        TASKS,
                        FORK_JOIN,
                        3.0,
                        plan,
                        () -> new TaskContest(
                                () -> ours(1, STRIPES), () -> forkJoin(1), submitters, TASKS_PER_ROUND, true)));
            }
        }
        all.add(tasks(
                "2 workers, 2 submitters",
                "ThreadPoolExecutor(2)",
                5.0,
                plan,
                2,
                2,
                () -> Executors.newFixedThreadPool(2)));
        all.add(tasks("2 workers, 2 submitters", "ForkJoinPool(2)", 1.5, plan, 2, 2, () -> forkJoin(2)));
        all.add(new Comparison(
                "a task to an idle parked worker",
                Unit.cost("us, median"),
                "ThreadPoolExecutor(1)",
                1.0,
                plan,
                () -> new WakeUpContest(ours(1), Executors.newFixedThreadPool(1))));
        all.add(new Comparison(
                "schedule and cancel 1 M timers",
                Unit.throughput("M timers/s"),
                "ScheduledThreadPoolExecutor(1), forgetting cancelled ones",
                10.0,
                plan,
                () -> new TimerContest(() -> ours(1), () -> scheduled(true))));
        all.add(new Comparison(
                "schedule and cancel 1 M timers",
                Unit.throughput("M timers/s"),
                "ScheduledThreadPoolExecutor(1), keeping cancelled ones",
                10.0,
                plan,
                () -> new TimerContest(() -> ours(1), () -> scheduled(false))));
        all.add(new Comparison(
                "JDK HTTP server, 64 connections",
                Unit.throughput("k requests/s"),
                "ThreadPoolExecutor(2)",
                1.0,
                plan,
                () -> new HttpContest(ours(2), Executors.newFixedThreadPool(2), quick ? 40_000 : 100_000)));
        return all;
    }

    private static Comparison tasks(
            String name,
            String peerName,
            double target,
            Plan plan,
            int workers,
            int submitters,
            Supplier<ExecutorService> peer) {
        return new Comparison(
                name,
                TASKS,
                peerName,
                target,
                plan,
                () -> new TaskContest(
                        () -> ours(workers),
                        peer,
                        submitters,
                        TASKS_PER_ROUND,
                        workers == 1 && !peerName.equals(VIRTUAL_THREADS)));
    }

    private static LockFreeExecutor ours(int workers) {
        return ours(workers, 1);
    }

    private static LockFreeExecutor ours(int workers, int stripes) {
        return LockFreeExecutor.builder()
                .workers(workers)
                .stripes(stripes)
                .rejectionPolicy(RejectionPolicy.waitAtMost(Duration.ofMinutes(1)))
                .build();
    }

    /** First in, first out, as its documentation recommends for tasks that are never joined. */
    private static ForkJoinPool forkJoin(int parallelism) {
        return new ForkJoinPool(parallelism, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, true);
    }

    /**
     * By default it keeps cancelled tasks until their time, and so need not look for them; ours forgets them at once.
     */
    private static ScheduledThreadPoolExecutor scheduled(boolean forgetful) {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);
        executor.setRemoveOnCancelPolicy(forgetful);
        return executor;
    }
}
