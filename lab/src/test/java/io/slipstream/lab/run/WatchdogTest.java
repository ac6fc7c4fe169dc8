package io.slipstream.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.Await;
import org.junit.jupiter.api.Test;

class WatchdogTest {

    @Test
    void endsAProcessThatIsSilentForTooLong() throws Exception {
        Process sleeper = new ProcessBuilder("sleep", "3600").start();
        try (Watchdog watchdog = new Watchdog(sleeper, 0)) {
            Await.exitCode(sleeper);
            assertThat(watchdog.hasBitten()).isTrue();
        } finally {
            sleeper.destroyForcibly();
        }
    }

    @Test
    void leavesOneAloneThatIsHeardOfOrForWhichThereIsTime() throws Exception {
        Process sleeper = new ProcessBuilder("sleep", "3600").start();
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
