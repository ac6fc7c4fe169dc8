package io.slipstream.ipc.sleep;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpinTimeTest {
    private static final int LOOKS_A_TRIAL = 64;

    private final SpinTime time = new SpinTime();

    private void lookInVain(int times) {
        for (int i = 0; i < times; i++) {
            while (time.goesOn()) {
                Thread.onSpinWait();
            }
            time.reset();
        }
    }

    @Test
    void aReaderLooksForAWhileAtFirst() {
        assertThat(time.goesOn()).isTrue();
    }

    @Test
    void whoHasLookedInVainSleepsUntilSomethingHasCome() {
        while (time.goesOn()) {
            Thread.onSpinWait();
        }
        assertThat(time.goesOn()).isFalse();
        time.reset();
        assertThat(time.goesOn()).isTrue();
    }

    @Test
    void looksInVainEndInNone() {
        lookInVain(20);
        assertThat(time.goesOn()).isFalse();
    }

    @Test
    void oneInManyIsATrialAndWhatItFindsMakesAllLong() {
        lookInVain(LOOKS_A_TRIAL);
        assertThat(time.goesOn()).isTrue();
        time.reset();
        for (int i = 0; i < 3; i++) {
            assertThat(time.goesOn()).isTrue();
            time.reset();
        }
    }
}
