package io.slipstream.core.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.slipstream.core.affinity.Affinity;
import io.slipstream.core.affinity.CpuSet;
import io.slipstream.core.affinity.PinPlan;
import io.slipstream.core.affinity.Topology;
import io.slipstream.testkit.Allocations;
import io.slipstream.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WorkerTest {
    @Test
    void stopsEveryDutyAndTellsTheFailureWhenOneThrows() throws Exception {
        CountDownLatch stopped = new CountDownLatch(1);
        CompletableFuture<Throwable> told = new CompletableFuture<>();
        Duty healthy = new Duty() {
            @Override
            public int work() {
                return 0;
            }

            @Override
            public void onStop() {
                stopped.countDown();
            }
        };
        Duty broken = () -> {
            throw new IllegalStateException("disk on fire");
        };
        try (Worker worker =
                new Worker("w", WaitStrategy.parking(), new Signal(), List.of(broken, healthy), told::complete)) {
            worker.start();
            assertThat(Await.done(told)).hasMessage("disk on fire");
            Await.done(stopped);
            assertThat(worker.failure()).hasMessage("disk on fire");
        }
    }

    @Test
    void goesOnWithTheOtherDutiesWhenThePolicySaysSo() throws Exception {
        AtomicLong rounds = new AtomicLong();
        CountDownLatch stopped = new CountDownLatch(1);
        CompletableFuture<Throwable> told = new CompletableFuture<>();
        Duty broken = new Duty() {
            @Override
            public int work() {
                throw new IllegalStateException("only me");
            }

            @Override
            public void onStop() {
                stopped.countDown();
            }
        };
        try (Worker worker = Worker.builder("w", List.of(broken, () -> (int) (rounds.incrementAndGet() & 1)))
                .policy(DutyPolicy.STOP_DUTY)
                .onFailure(told::complete)
                .build()
                .start()) {
            assertThat(Await.done(told)).hasMessage("only me");
            Await.done(stopped);
            long seen = rounds.get();
            while (rounds.get() < seen + 10) {
                Thread.onSpinWait();
            }
            assertThat(worker.stats().failures()).isEqualTo(1);
            assertThat(worker.isAlive()).isTrue();
        }
    }

    @Test
    void callsAFailingDutyAgainWhenThePolicySaysSo() throws Exception {
        CountDownLatch failures = new CountDownLatch(5);
        try (Worker worker = Worker.builder("w", List.of(() -> {
                    throw new IllegalStateException();
                }))
                .policy(DutyPolicy.GO_ON)
                .onFailure(e -> failures.countDown())
                .build()
                .start()) {
            Await.done(failures);
            assertThat(worker.failure()).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void endsWhenNoDutyIsLeftAndWhenADutyCannotStart() throws Exception {
        CompletableFuture<Throwable> told = new CompletableFuture<>();
        Duty broken = new Duty() {
            @Override
            public void onStart() {
                throw new IllegalStateException("no disk");
            }

            @Override
            public int work() {
                throw new AssertionError("must not be called");
            }
        };
        try (Worker worker = Worker.builder("w", List.of(broken))
                .onFailure(told::complete)
                .build()
                .start()) {
            assertThat(Await.done(told)).hasMessage("no disk");
            while (worker.isAlive()) {
                Thread.onSpinWait();
            }
            assertThat(worker.stats().failures()).isEqualTo(1);
        }
    }

    @Test
    void refusesToBePinnedToNothing() {
        Worker.Builder builder = Worker.builder("w", List.of(() -> 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.pinnedTo(CpuSet.empty()))
                .withMessage("worker w needs at least one CPU to run on");
    }

    @Test
    void runsWhereAPlanPutsIt() throws Exception {
        Topology topology = Topology.read();
        PinPlan plan = PinPlan.onePerCore(topology);
        CompletableFuture<Optional<CpuSet>> seen = new CompletableFuture<>();
        try (Worker _ = Worker.builder("w", List.of(() -> {
                    seen.complete(Affinity.ofCurrentThread());
                    return 0;
                }))
                .pinnedTo(plan, plan.size() + 1)
                .build()
                .start()) {
            Optional<CpuSet> cpus = Await.done(seen);
            if (Affinity.means().equals("taskset") || Affinity.means().equals("sched_setaffinity")) {
                assertThat(cpus).contains(plan.place(1));
            }
        }
    }

    @Test
    void closesAfterTheCurrentRound() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicLong ended = new AtomicLong();
        Worker worker = Worker.builder("w", List.of(() -> {
                    begun.countDown();
                    goOn.await();
                    ended.incrementAndGet();
                    return 1;
                }))
                .build()
                .start();
        begun.await();
        Thread closer = Thread.ofPlatform().start(worker::close);
        while (closer.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(ended).hasValue(0);
        goOn.countDown();
        closer.join();
        assertThat(ended).hasValueGreaterThanOrEqualTo(1);
        assertThat(worker.isAlive()).isFalse();
        assertThatIllegalStateException()
                .isThrownBy(worker::start)
                .withMessage("worker w was started before; make a new one");
    }

    @Test
    void startsOnceWhereTwoStartItTogether() throws Exception {
        for (int round = 0; round < 50; round++) {
            Worker worker = Worker.builder("w", List.of(() -> 0)).build();
            CyclicBarrier together = new CyclicBarrier(2);
            FutureTask<Worker> other = new FutureTask<>(() -> {
                together.await();
                return worker.start();
            });
            Thread.ofPlatform().start(other);
            together.await();
            int refused = 0;
            try {
                worker.start();
            } catch (IllegalStateException e) {
                refused++;
            }
            try {
                other.get();
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(IllegalStateException.class);
                refused++;
            }
            assertThat(refused).isEqualTo(1);
            worker.close();
        }
    }

    @Test
    void allocatesNothingInARound() throws Exception {
        AtomicLong done = new AtomicLong();
        try (DutyCycle cycle = new DutyCycle(
                List.of(() -> (int) (done.incrementAndGet() & 1), () -> 0), DutyPolicy.STOP_ALL, e -> {})) {
            cycle.start();
            Allocations.none(20_000, round -> cycle.round());
        }
    }

    @Test
    void countsRoundsAndTheLongestStall() {
        AtomicLong left = new AtomicLong(3);
        Duty duty = () -> {
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < 2_000_000) {
                Thread.onSpinWait();
            }
            return left.getAndDecrement() > 0 ? 1 : 0;
        };
        try (DutyCycle cycle = new DutyCycle(List.of(duty), DutyPolicy.STOP_ALL, e -> {})) {
            cycle.start();
            while (cycle.round() > 0) {
                cycle.rested();
            }
            assertThat(cycle.stats().rounds()).isEqualTo(3);
            assertThat(cycle.stats().longestRoundNanos()).isGreaterThanOrEqualTo(2_000_000);
            assertThat(cycle.stats().busyNanos()).isGreaterThanOrEqualTo(6_000_000);
        }
    }

    @Test
    void runsOnAVirtualThreadWhereNothingSpins() throws Exception {
        CompletableFuture<Boolean> virtual = new CompletableFuture<>();
        try (Worker worker = Worker.builder("w", List.of(() -> {
                    virtual.complete(Thread.currentThread().isVirtual());
                    return 0;
                }))
                .waitStrategy(new WaitStrategy(0, 0, 1_000_000_000, 1_000_000_000, true))
                .threadFactory(Thread.ofVirtual().factory())
                .build()
                .start()) {
            assertThat(Await.done(virtual)).isTrue();
            assertThat(worker.failure()).isNull();
        }
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void seesEveryPieceOfWorkWhicheverWayItWaits(WaitStrategy strategy) {
        Signal signal = new Signal();
        AtomicLong offered = new AtomicLong();
        AtomicLong done = new AtomicLong();
        Duty duty = () -> {
            long todo = offered.get() - done.get();
            done.addAndGet(todo);
            return (int) todo;
        };
        try (Worker worker = new Worker("w", strategy, signal, List.of(duty), e -> {})) {
            worker.start();
            for (int i = 1; i <= 2_000; i++) {
                offered.incrementAndGet();
                signal.wake();
                while (done.get() < i) {
                    Thread.onSpinWait();
                }
            }
        }
        assertThat(done.get()).isEqualTo(2_000);
    }

    static Stream<WaitStrategy> strategies() {
        return Stream.of(WaitStrategy.yielding(), WaitStrategy.parking(), WaitStrategy.blocking(Duration.ofHours(1)));
    }
}
