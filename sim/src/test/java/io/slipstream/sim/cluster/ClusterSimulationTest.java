package io.slipstream.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.sim.tally.LivesReport;
import org.junit.jupiter.api.Test;

class ClusterSimulationTest {
    private static final int LIVES = 10;

    @Test
    void aClusterKeepsItsPromises() {
        LivesReport report = new LivesReport("elections");
        for (int seed = 1; seed <= LIVES; seed++) {
            report.add(new ClusterSimulation(seed).run());
        }
        System.out.println(report);
        assertThat(report.changes()).isGreaterThan(LIVES);
        assertThat(report.answered()).isPositive();
    }

    @Test
    void theSameSeedLeadsToTheSameHistory() {
        assertThat(new ClusterSimulation(1).run()).isEqualTo(new ClusterSimulation(1).run());
    }
}
