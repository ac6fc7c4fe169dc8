package io.slipstream.core.thread;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
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
        try (Worker worker = new Worker("w", WaitStrategy.parking(), new Signal(), List.of(healthy, broken),
                told::complete)) {
            worker.start();
            assertThat(told.get(10, TimeUnit.SECONDS)).hasMessage("disk on fire");
            assertThat(stopped.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(worker.failure()).hasMessage("disk on fire");
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
        try (Worker worker = new Worker("w", strategy, signal, List.of(duty), e -> { })) {
            worker.start();
            for (int i = 1; i <= 20_000; i++) {
                offered.incrementAndGet();
                signal.wake();
                while (done.get() < i) {
                    Thread.onSpinWait();
                }
            }
        }
        assertThat(done.get()).isEqualTo(20_000);
    }

    static Stream<WaitStrategy> strategies() {
        return Stream.of(WaitStrategy.yielding(), WaitStrategy.parking(),
                new WaitStrategy(0, 0, 60_000_000_000L, 60_000_000_000L, true));
    }
}
