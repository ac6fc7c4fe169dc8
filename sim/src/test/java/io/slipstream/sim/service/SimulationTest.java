package io.slipstream.sim.service;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(120)
class SimulationTest {
    private static final long LIVES = Long.getLong("io.slipstream.sim.lives", 40);

    private static Simulation<Shop> shops() {
        return Simulation.of(Shop::new, Shop::random).topics(Shop.NEWS)
                .invariant(shop -> assertThat(shop.counted()).isEqualTo(shop.total));
    }

    @Test
    void findsNothingInAServiceThatKeepsItsPromises() {
        SimulationReport report = shops().runs(LIVES);
        System.out.println(report);
        assertThat(report.lives()).isEqualTo(LIVES);
        assertThat(report.replied()).isPositive();
    }

    @Test
    void leadsToTheSameHistoryFromTheSameSeed() {
        Simulation<Shop> few = shops().disastersFor(Duration.ofSeconds(3)).seed(7);
        long first = few.runs(5).hash();
        assertThat(few.runs(5).hash()).isEqualTo(first);
        assertThat(few.seed(8).runs(5).hash()).isNotEqualTo(first);
    }
}
