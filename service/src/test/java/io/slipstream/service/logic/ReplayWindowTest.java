package io.slipstream.service.logic;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.service.logic.ReplayWindow.Seen;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReplayWindowTest {
    @Test
    void tellsEveryResendInTheWindowFromANewCommand() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        ReplayWindow window = new ReplayWindow();
        Set<Long> applied = new HashSet<>();
        long newest = 0;
        for (int i = 0; i < 300_000; i++) {
            long step = random.nextInt(100) == 0 ? random.nextLong(3L * ReplayWindow.SIZE) : random.nextLong(20);
            long correlation = random.nextInt(3) == 0 ? newest + step : Math.max(1, newest - step);
            Seen expected = correlation <= newest - ReplayWindow.SIZE || correlation <= 0
                    ? Seen.TOO_OLD
                    : applied.contains(correlation) ? Seen.APPLIED : Seen.NEW;
            assertThat(window.lookUp(correlation))
                    .as("seed %d, correlation %d", seed, correlation)
                    .isEqualTo(expected);
            if (expected == Seen.NEW) {
                window.mark(correlation);
                applied.add(correlation);
                newest = Math.max(newest, correlation);
            }
        }
    }

    @Test
    void refusesWhatIsNoCorrelation() {
        assertThat(new ReplayWindow().lookUp(0)).isEqualTo(Seen.TOO_OLD);
        assertThat(new ReplayWindow().lookUp(-5)).isEqualTo(Seen.TOO_OLD);
    }
}
