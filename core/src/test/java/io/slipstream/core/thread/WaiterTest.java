package io.slipstream.core.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How often a waiter spins before it arms its signal, counted in calls, without any sleep. */
class WaiterTest {
    private static final int SPINS = 8;
    private static final int SLEEPS_A_TRIAL = 64;

    /** A signal on which nobody really sleeps. */
    private static final class Counted extends Signal {
        private int sleeps;
        private long lastNanos;

        @Override
        protected void await(long nanos) {
            sleeps++;
            lastNanos = nanos;
        }
    }

    private final Counted signal = new Counted();
    private final Waiter waiter = waiter(SPINS, 0, WaitStrategy.UNTIL_WOKEN_NANOS, WaitStrategy.UNTIL_WOKEN_NANOS);

    private Waiter waiter(int spins, int yields, long minSleepNanos, long maxSleepNanos) {
        return new WaitStrategy(spins, yields, minSleepNanos, maxSleepNanos, true).newWaiter(signal);
    }

    /** Goes idle until the first sleep, and returns how many rounds came before it. */
    private int roundsBeforeSleep(Waiter its) {
        int before = signal.sleeps;
        int rounds = 0;
        its.idle(0);
        while (signal.sleeps == before) {
            rounds++;
            its.idle(0);
        }
        return rounds;
    }

    @Test
    void spinsThenArmsThenSleepsUntilWoken() {
        // The first round of all finds out what thread this is, and the last one before the sleep arms.
        assertThat(roundsBeforeSleep(waiter)).isEqualTo(1 + SPINS + 1);
        assertThat(signal.lastNanos).isEqualTo(WaitStrategy.UNTIL_WOKEN_NANOS);
    }

    @Test
    void looksAgainWithItsSignalArmedBeforeEachSleep() {
        roundsBeforeSleep(waiter);
        waiter.idle(0);
        signal.wake();
        waiter.idle(0);
        assertThat(signal.sleeps)
                .as("the wake between arming and sleeping was seen")
                .isEqualTo(1);
    }

    @Test
    void spinsHalfAsOftenAfterEachSleepThatWorkHasEnded() {
        roundsBeforeSleep(waiter);
        for (int spins = SPINS / 2; spins > 0; spins /= 2) {
            waiter.idle(1);
            assertThat(roundsBeforeSleep(waiter)).isEqualTo(spins + 1);
        }
        waiter.idle(1);
        assertThat(roundsBeforeSleep(waiter)).isEqualTo(1);
    }

    @Test
    void spinsInFullAgainWhenASpinHasFoundWork() {
        roundsBeforeSleep(waiter);
        waiter.idle(1);
        waiter.idle(0);
        waiter.idle(1);
        assertThat(roundsBeforeSleep(waiter)).isEqualTo(SPINS + 1);
    }

    @Test
    void triesTheFullSpinsFromTimeToTime() {
        int full = 0;
        roundsBeforeSleep(waiter);
        for (int i = 1; i < 3 * SLEEPS_A_TRIAL; i++) {
            waiter.idle(1);
            full += roundsBeforeSleep(waiter) == SPINS + 1 ? 1 : 0;
        }
        assertThat(full).isEqualTo(2);
    }

    @Test
    void lengthensItsSleepsUntilThereIsWork() {
        Waiter growing = waiter(0, 0, 100, 350);
        roundsBeforeSleep(growing);
        assertThat(signal.lastNanos).isEqualTo(100);
        roundsBeforeSleep(growing);
        assertThat(signal.lastNanos).isEqualTo(200);
        roundsBeforeSleep(growing);
        roundsBeforeSleep(growing);
        assertThat(signal.lastNanos).isEqualTo(350);
        growing.idle(1);
        roundsBeforeSleep(growing);
        assertThat(signal.lastNanos).isEqualTo(100);
    }

    @Test
    void sleepsAtOnceOnAVirtualThread() throws Exception {
        int[] rounds = {0};
        Waiter yielding = waiter(WaitStrategy.FOREVER, WaitStrategy.FOREVER, 100, 100);
        Thread.ofVirtual().start(() -> rounds[0] = roundsBeforeSleep(yielding)).join();
        assertThat(rounds[0]).isEqualTo(2);
    }

    @Test
    void aTimeoutLongerThanALifeIsNone() {
        assertThat(WaitStrategy.blocking(Duration.ofSeconds(Long.MAX_VALUE)).maxSleepNanos())
                .isEqualTo(WaitStrategy.UNTIL_WOKEN_NANOS);
        for (Duration none : List.of(Duration.ZERO, Duration.ofSeconds(Long.MIN_VALUE))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> WaitStrategy.blocking(none))
                    .withMessageContaining("must be positive");
        }
    }
}
