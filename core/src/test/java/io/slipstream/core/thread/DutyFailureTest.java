package io.slipstream.core.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.slipstream.testkit.Await;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What becomes of a worker and its other duties when something goes wrong on its thread. */
class DutyFailureTest {
    private final List<String> log = new CopyOnWriteArrayList<>();

    /** Writes down what it is called for, and throws where it shall. */
    private final class Logged implements Duty {
        private final String name;
        private final String broken;

        Logged(String name, String broken) {
            this.name = name;
            this.broken = broken;
        }

        private void call(String method) {
            log.add(name + "." + method);
            if (method.equals(broken)) {
                throw new IllegalStateException(name + " in " + method);
            }
        }

        @Override
        public void onStart() {
            call("start");
        }

        @Override
        public int work() {
            call("work");
            return 0;
        }

        @Override
        public void onStop() {
            call("stop");
        }
    }

    private void oneRound(DutyPolicy policy, Duty... duties) {
        try (DutyCycle cycle =
                new DutyCycle(List.of(duties), policy, failure -> log.add("told " + failure.getMessage()))) {
            cycle.start();
            cycle.round();
        }
    }

    @Test
    void noDutyWorksAfterAllWereStopped() {
        oneRound(DutyPolicy.STOP_ALL, new Logged("a", "work"), new Logged("b", ""));
        assertThat(log).containsExactly("a.start", "b.start", "a.work", "a.stop", "b.stop", "told a in work");
    }

    /** As many fail as there are carriers, of which nothing else would ever get one if they kept them. */
    @Test
    void aDutyThatAlwaysFailsLetsOtherVirtualThreadsRun() throws Exception {
        int carriers = Runtime.getRuntime().availableProcessors();
        Set<String> failed = ConcurrentHashMap.newKeySet();
        List<Worker> workers = new ArrayList<>();
        try {
            for (int i = 0; i < carriers; i++) {
                String name = "worker-" + i;
                workers.add(Worker.builder(name, List.of(() -> {
                            throw new IllegalStateException();
                        }))
                        .policy(DutyPolicy.GO_ON)
                        .onFailure(e -> failed.add(name))
                        .threadFactory(Thread.ofVirtual().factory())
                        .build()
                        .start());
            }
            while (failed.size() < carriers) {
                Thread.onSpinWait();
            }
            Await.ended(Thread.ofVirtual().start(() -> {}));
        } finally {
            workers.forEach(Worker::close);
        }
    }

    @Test
    void noDutyStartsAfterAllWereStoppedAndNoneIsStoppedThatWasNotStarted() {
        oneRound(DutyPolicy.STOP_ALL, new Logged("a", "start"), new Logged("b", ""));
        assertThat(log).containsExactly("a.start", "a.stop", "told a in start");
    }

    @Test
    void stopsTheDutiesThatWereStartedBeforeTheOneThatCannot() {
        oneRound(DutyPolicy.STOP_ALL, new Logged("a", ""), new Logged("b", "start"), new Logged("c", ""));
        assertThat(log).containsExactly("a.start", "b.start", "a.stop", "b.stop", "told b in start");
    }

    @Test
    void theDutiesBehindTheOneThatIsStoppedAloneGoOn() {
        oneRound(DutyPolicy.STOP_DUTY, new Logged("a", "start"), new Logged("b", "work"), new Logged("c", ""));
        assertThat(log)
                .containsExactly(
                        "a.start",
                        "a.stop",
                        "told a in start",
                        "b.start",
                        "c.start",
                        "b.work",
                        "b.stop",
                        "told b in work",
                        "c.work",
                        "c.stop");
    }

    @Test
    void aCycleThatWasNotStartedStopsNothing() {
        new DutyCycle(List.of(new Logged("a", "")), DutyPolicy.STOP_ALL, failure -> {}).close();
        assertThat(log).isEmpty();
    }

    @Test
    void aListenerThatThrowsHarmsNoDutyAndIsSeen() throws Exception {
        CompletableFuture<Throwable> uncaught = new CompletableFuture<>();
        CountDownLatch worked = new CountDownLatch(100);
        Duty healthy = new Duty() {
            @Override
            public int work() {
                worked.countDown();
                return 1;
            }

            @Override
            public void onStop() {
                log.add("stopped");
            }
        };
        try (Worker worker = Worker.builder("w", List.of(healthy, new Logged("a", "work")))
                .policy(DutyPolicy.STOP_DUTY)
                .threadFactory(task -> {
                    Thread thread = new Thread(task);
                    thread.setUncaughtExceptionHandler((where, e) -> uncaught.complete(e));
                    return thread;
                })
                .onFailure(failure -> {
                    throw new IllegalStateException("the alert is broken");
                })
                .build()
                .start()) {
            assertThat(Await.done(uncaught)).hasMessage("the alert is broken");
            worked.await();
            assertThat(worker.isAlive()).isTrue();
            assertThat(worker.failure()).hasMessage("a in work");
            assertThat(worker.failure().getSuppressed()).hasSize(1);
        }
        assertThat(log).containsExactly("a.start", "a.work", "a.stop", "stopped");
    }

    @Test
    void aSignalThatThrowsStopsTheDutiesAndIsTold() throws Exception {
        CompletableFuture<Throwable> told = new CompletableFuture<>();
        Signal broken = new Signal() {
            @Override
            protected void await(long nanos) {
                throw new IllegalStateException("the selector was closed");
            }
        };
        try (Worker worker = Worker.builder("w", List.of(new Logged("a", "")))
                .signal(broken)
                .onFailure(told::complete)
                .build()
                .start()) {
            assertThat(Await.done(told)).hasMessage("the selector was closed");
            assertThat(worker.failure()).hasMessage("the selector was closed");
        }
        assertThat(log).startsWith("a.start").endsWith("a.stop").containsOnlyOnce("a.stop");
    }

    /* An interrupt that stayed would end every sleep at once. */
    @Test
    void anInterruptedWorkerStillSleeps() throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        try (Worker _ = Worker.builder("w", List.of(() -> {
                    thread.complete(Thread.currentThread());
                    return 0;
                }))
                .waitStrategy(WaitStrategy.parking())
                .signal(new Signal())
                .build()
                .start()) {
            Thread worker = Await.done(thread);
            worker.interrupt();
            awaitRest(worker);
            assertThat(worker.isInterrupted()).isFalse();
        }
    }

    /** Waits until the thread has used no processor for a while. */
    static void awaitRest(Thread thread) {
        var threads = ManagementFactory.getThreadMXBean();
        long used;
        do {
            used = threads.getThreadCpuTime(thread.threadId());
            LockSupport.parkNanos(50_000_000);
        } while (threads.getThreadCpuTime(thread.threadId()) != used);
    }

    @Test
    void aStallIsSeenAlsoInARoundThatFoundNothing() {
        Duty stalling = () -> {
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < 3_000_000) {
                Thread.onSpinWait();
            }
            return 0;
        };
        try (DutyCycle cycle = new DutyCycle(List.of(stalling), DutyPolicy.STOP_ALL, failure -> {})) {
            cycle.start();
            cycle.round();
            assertThat(cycle.stats().longestRoundNanos()).isGreaterThanOrEqualTo(3_000_000);
            assertThat(cycle.stats().rounds()).isZero();
        }
    }

    @Test
    void aStallIsSeenAlsoBetweenTwoSpins() {
        int[] rounds = {0};
        Duty stalling = () -> {
            if (rounds[0]++ == 5) {
                LockSupport.parkNanos(3_000_000);
            }
            return 0;
        };
        try (DutyCycle cycle = new DutyCycle(List.of(stalling), DutyPolicy.STOP_ALL, failure -> {})) {
            cycle.start();
            cycle.round();
            for (int i = 0; i < 100; i++) {
                cycle.roundAfterSpin();
            }
            assertThat(cycle.stats().longestRoundNanos()).isGreaterThanOrEqualTo(2_000_000);
        }
    }

    private static int round(Duty... duties) {
        try (DutyCycle cycle = new DutyCycle(List.of(duties), DutyPolicy.STOP_ALL, failure -> {})) {
            cycle.start();
            int done = cycle.round();
            assertThat(cycle.stats().rounds()).as("rounds with work").isEqualTo(done > 0 ? 1 : 0);
            return done;
        }
    }

    @Test
    void whatDutiesReturnNeverAddsUpToNothing() {
        assertThat(round(() -> Integer.MAX_VALUE, () -> Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
        assertThat(round(() -> Integer.MAX_VALUE, () -> 2, () -> Integer.MAX_VALUE))
                .isEqualTo(Integer.MAX_VALUE);
        assertThat(round(() -> -5, () -> 3)).isEqualTo(3);
        assertThat(round(() -> 0, () -> Integer.MIN_VALUE)).isZero();
    }

    /** Equal to every other one. */
    private record Alike(int[] rounds, boolean broken) implements Duty {
        @Override
        public int work() {
            rounds[0]++;
            if (broken) {
                throw new IllegalStateException();
            }
            return 0;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Alike;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    @Test
    void stopsTheDutyThatHasThrownAndNotOneThatIsEqualToIt() {
        Alike healthy = new Alike(new int[1], false);
        Alike broken = new Alike(new int[1], true);
        try (DutyCycle cycle = new DutyCycle(List.of(healthy, broken), DutyPolicy.STOP_DUTY, failure -> {})) {
            cycle.start();
            for (int i = 0; i < 10; i++) {
                cycle.round();
            }
            assertThat(healthy.rounds[0]).isEqualTo(10);
            assertThat(broken.rounds[0]).isEqualTo(1);
            assertThat(cycle.stats().failures()).isEqualTo(1);
        }
    }

    @Test
    void noDutyWorksInTheRoundInWhichOneHasClosedTheCycle() {
        DutyCycle[] cycle = new DutyCycle[1];
        Duty closing = () -> {
            cycle[0].close();
            return 1;
        };
        cycle[0] = new DutyCycle(List.of(closing, new Logged("a", "")), DutyPolicy.STOP_ALL, failure -> {});
        cycle[0].start();
        cycle[0].round();
        assertThat(log).containsExactly("a.start", "a.stop");
    }

    @Test
    void refusesTheSameDutyTwice() {
        Duty duty = new Logged("a", "");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> Worker.builder("w", List.of(duty, () -> 0, duty)).build())
                .withMessageStartingWith("the duty at 2 is there twice");
    }
}
