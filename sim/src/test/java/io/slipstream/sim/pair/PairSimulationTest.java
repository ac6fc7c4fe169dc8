package io.slipstream.sim.pair;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.sim.tally.LivesReport;
import org.junit.jupiter.api.Test;

class PairSimulationTest {
    private static final int LIVES = 10;

    @Test
    void aPairOfSitesKeepsItsPromises() {
        LivesReport report = new LivesReport("promotions");
        for (int seed = 1; seed <= LIVES; seed++) {
            report.add(new PairSimulation(seed).run());
        }
        System.out.println(report);
        assertThat(report.changes()).isBetween(1L, LIVES - 1L);
        assertThat(report.answered()).isPositive();
    }

    @Test
    void theSameSeedLeadsToTheSameHistory() {
        assertThat(new PairSimulation(1).run()).isEqualTo(new PairSimulation(1).run());
    }
}
