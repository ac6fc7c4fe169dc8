package io.slipstream.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.WriteMode;
import io.slipstream.sim.journal.JournalSimulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JournalSimulationTest {
    private static final int RUNS = 1_200;

    /** Lives in which a reader stood at the end of a segment whose file was then used again. */
    @ParameterizedTest
    @ValueSource(longs = {2316093392L, 11670L, 19514L})
    void keepsItsPromisesInTheLivesThatOnceBrokeThem(long seed) {
        assertThat(new JournalSimulation(seed)
                        .withWriteModes(WriteMode.BUFFERED)
                        .run())
                .isPositive();
    }

    /**
     * A segment was used again while the mapping of its first use was there, and the simulated mapping brought that
     * back.
     */
    @Test
    void keepsItsPromisesWhereAMappedSegmentIsUsedAgain() {
        assertThat(new JournalSimulation(4282825483L).run()).isNotNegative();
    }

    /** A journal got another block size before it had a record: its first segment stayed empty. */
    @Test
    void keepsItsPromisesWhereAnEmptySegmentIsFollowedByAnother() {
        assertThat(new JournalSimulation(4102583087L).run()).isPositive();
    }

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
