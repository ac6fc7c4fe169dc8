package io.slipstream.sim.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.ServiceEvents;
import io.slipstream.service.Threading;
import io.slipstream.service.host.Host;
import io.slipstream.sim.example.Shop;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class ConfiguredTest {
    private static Simulation<Shop> shops() {
        return Simulation.of(Shop::new, Shop::random).topics(Shop.NEWS);
    }

    @Test
    void theUsersConfigurationKeepsItsPromises() {
        SimulationReport report = shops().configured(chosen -> chosen.withThreading(Threading.THREE)
                        .withMaxResponseTime(Duration.ofMillis(80))
                        .withSlowEntryAfter(Duration.ofSeconds(3))
                        .withJournal(JournalConfig.at(Durability.SYNC).withSegmentBytes(1 << 16))
                        .withLimits(limits -> limits.withMaxUnreadBytes(1 << 20)))
                .threads(2)
                .runs(40);
        assertThat(report.replied()).isPositive();
    }

    @Test
    void theUsersConfigurationIsWhatRuns() {
        assertThat(lossesAt(Durability.NONE, Disaster.Kind.KILL_IN_WRITE)).isPositive();
        assertThat(lossesAt(Durability.PROCESS, Disaster.Kind.KILL_IN_WRITE)).isZero();
        assertThat(lossesAt(Durability.PROCESS, Disaster.Kind.POWER_CUT)).isPositive();
        assertThat(lossesAt(Durability.SYNC, Disaster.Kind.POWER_CUT)).isZero();
    }

    private static long lossesAt(Durability durability, Disaster.Kind disaster) {
        return shops().configured(chosen ->
                        chosen.withJournal(JournalConfig.at(durability).withSegmentBytes(1 << 16)))
                .disasters(new Disaster(3_000_000_000L, disaster, 0))
                .runs(10)
                .sometimes()
                .getOrDefault(Sometimes.LOST_ENTRIES.toString(), 0L);
    }

    @Test
    void whatTheSimulationMustSetIsRefusedByName() {
        Map<String, UnaryOperator<ServiceConfig>> changes = Map.ofEntries(
                Map.entry("host", chosen -> chosen.withHost(Host.system())),
                Map.entry(
                        "directory",
                        chosen -> ServiceConfig.in(Path.of("elsewhere")).withHost(chosen.host())),
                Map.entry("address", chosen -> chosen.withAddress(new InetSocketAddress("127.0.0.1", 1))),
                Map.entry("sharedMemory", chosen -> chosen.withSharedMemory(Path.of("door"))),
                Map.entry("events", chosen -> chosen.withEvents(ServiceEvents.logged())),
                Map.entry("maxClockLeap", chosen -> chosen.withMaxClockLeap(Duration.ofDays(2))),
                Map.entry(
                        "limits.maxConnections 2",
                        chosen -> chosen.withLimits(limits -> limits.withClients(2, 1024, 4096))),
                Map.entry(
                        "limits.maxSessions 2",
                        chosen -> chosen.withLimits(limits -> limits.withClients(1024, 2, 4096))),
                Map.entry(
                        "journal.clock",
                        chosen -> chosen.withJournal(chosen.journal().withClock(() -> Instant.EPOCH))));
        Simulation<Shop> shops = shops();
        changes.forEach((name, change) -> assertThatThrownBy(() -> shops.configured(change))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot set " + name + ":"));
    }

    @Test
    void aChangeThatGoesWrongInALifeHasItsSeed() {
        AtomicBoolean isChecked = new AtomicBoolean();
        Simulation<Shop> late =
                shops().configured(chosen -> isChecked.getAndSet(true) ? chosen.withHost(Host.system()) : chosen);
        assertThat(catchThrowableOfType(
                        SimulationFailure.class, () -> late.seed(7).runs(1)))
                .hasMessageContaining("seed 7")
                .hasMessageContaining("cannot set host");
    }
}
