package io.slipstream.core.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SleepersTest {
    private static final int THREADS = 100;

    private final Sleepers sleepers = new Sleepers();
    private final AtomicInteger tickets = new AtomicInteger();
    private final Patience patience = new Patience(WaitStrategy.blocking(Duration.ofHours(1)), sleepers);

    private boolean takeTicket() {
        int left;
        do {
            left = tickets.get();
        } while (left > 0 && !tickets.compareAndSet(left, left - 1));
        return left > 0;
    }

    /** Who leaves may have been chosen by the waker of another ticket than the one it took. */
    private void passOn() {
        if (tickets.get() > 0) {
            sleepers.wakeOne();
        }
    }

    private List<Thread> sleepingThreads(boolean virtual) {
        CountDownLatch all = new CountDownLatch(THREADS);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Runnable task = () -> {
                all.countDown();
                try {
                    patience.await(this::takeTicket, Patience.FOREVER_NANOS);
                    passOn();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            };
            threads.add(
                    virtual
                            ? Thread.ofVirtual().start(task)
                            : Thread.ofPlatform().start(task));
        }
        while (all.getCount() > 0) {
            Thread.onSpinWait();
        }
        return threads;
    }

    @Test
    void haveRoomForAnyNumberOfThreadsAndWakeThemAll() throws Exception {
        List<Thread> threads = sleepingThreads(true);
        tickets.set(THREADS);
        sleepers.wakeAll();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(sleepers.isAnyoneListed()).isFalse();
    }

    @Test
    void wakeOneAfterTheOtherSoThatNobodyIsPassedOver() throws Exception {
        List<Thread> threads = sleepingThreads(false);
        for (int i = 0; i < THREADS; i++) {
            tickets.incrementAndGet();
            sleepers.wakeOne();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(tickets).hasValue(0);
        assertThat(sleepers.isAnyoneListed()).isFalse();
    }

    @Test
    void forgetWhoWithdrawsAndWhoIsInterrupted() {
        Sleepers.Place place = sleepers.arm();
        assertThat(sleepers.isAnyoneListed()).isTrue();
        place.disarm();
        place.disarm();
        assertThat(sleepers.isAnyoneListed()).isFalse();
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> patience.await(() -> false, 1_000_000_000));
        assertThat(sleepers.isAnyoneListed()).isFalse();
    }

    @Test
    void sleepsNotAtAllWhenWokenBetweenArmingAndSleeping() {
        Sleepers.Place place = sleepers.arm();
        sleepers.wakeOne();
        place.sleep(WaitStrategy.UNTIL_WOKEN_NANOS);
        assertThat(sleepers.isAnyoneListed()).isFalse();
    }

    @Test
    void passesAnExceptionOfTheAttemptOnAndWithdraws() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> patience.await(
                        () -> {
                            throw new IllegalStateException();
                        },
                        1));
        assertThat(sleepers.isAnyoneListed()).isFalse();
    }
}
