package io.slipstream.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WatchdogTest {

    @Test
    void endsAProcessThatIsSilentForTooLong() throws Exception {
        Process sleeper = new ProcessBuilder("sleep", "60").start();
        try (Watchdog watchdog = new Watchdog(sleeper, 0)) {
            assertThat(sleeper.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(watchdog.hasBitten()).isTrue();
        } finally {
            sleeper.destroyForcibly();
        }
    }

    @Test
    void leavesOneAloneThatIsHeardOfOrForWhichThereIsTime() throws Exception {
        Process sleeper = new ProcessBuilder("sleep", "60").start();
        try {
            Watchdog watchdog = new Watchdog(sleeper, 3_600);
            watchdog.heard();
            watchdog.close();
            assertThat(sleeper.isAlive()).isTrue();
            assertThat(watchdog.hasBitten()).isFalse();
        } finally {
            sleeper.destroyForcibly();
        }
    }
}
