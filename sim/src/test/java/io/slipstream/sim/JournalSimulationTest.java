package io.slipstream.sim;

import io.slipstream.sim.journal.JournalSimulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(120)
class JournalSimulationTest {
    private static final int RUNS = 3_000;

    @Test
    void keepsItsPromisesInThousandsOfCrashStates() {
        long first = System.nanoTime() & 0xFFFF_FFFFL;
        int crashes = 0;
        for (long seed = first; seed < first + RUNS; seed++) {
            try {
                crashes += new JournalSimulation(seed).run();
            } catch (Throwable e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        assertThat(crashes).isGreaterThan(RUNS);
    }
}
