package io.slipstream.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cli.Clients;
import io.slipstream.core.counters.Counter;
import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.counters.FlightCounters;
import io.slipstream.ledger.Ledger;
import io.slipstream.ledger.LedgerService;
import io.slipstream.ledger.OpenAccount;
import io.slipstream.service.Service;
import io.slipstream.service.snapshot.SnapshotReport;
import io.slipstream.service.typed.TypedClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlightCountersTest {
    @TempDir
    private Path folder;

    @Test
    void aRecordingHasTheCountersOfTheProcess() throws Exception {
        CompletableFuture<Long> seen = new CompletableFuture<>();
        try (Counters counters = Counters.create(folder.resolve("counters"), 4);
                FlightCounters _ = FlightCounters.start(counters.file());
                RecordingStream stream = new RecordingStream()) {
            Counter counter = counters.add(CounterType.DEPTH, "input ring", "depth");
            counter.setRelease(42);
            stream.enable("io.slipstream.Counter").withPeriod(Duration.ofMillis(20));
            stream.onEvent("io.slipstream.Counter", event -> {
                if (event.getString("owner").equals("input ring")
                        && event.getString("label").equals("depth")) {
                    seen.complete(event.getLong("value"));
                }
            });
            stream.startAsync();
            assertThat(seen.get()).isEqualTo(42);
        }
    }

    @Test
    void aRecordingHasBatchesForcesAndStallsWithTheirDurations() throws Exception {
        CompletableFuture<RecordedEvent> batch = new CompletableFuture<>();
        CompletableFuture<RecordedEvent> force = new CompletableFuture<>();
        CompletableFuture<RecordedEvent> stall = new CompletableFuture<>();
        try (RecordingStream stream = new RecordingStream()) {
            List.of("io.slipstream.Batch", "io.slipstream.Stall", "jdk.FileForce")
                    .forEach(name -> stream.enable(name).withoutThreshold());
            stream.onEvent("io.slipstream.Batch", event -> {
                if (event.getLong("sequence") > 1) {
                    batch.complete(event);
                }
            });
            stream.onEvent("jdk.FileForce", event -> {
                if (event.getString("path").contains(folder.toString())) {
                    force.complete(event);
                }
            });
            stream.onEvent("io.slipstream.Stall", event -> {
                if (event.getDuration().isPositive()) {
                    stall.complete(event);
                }
            });
            stream.startAsync();
            try (Service service = Service.start(LedgerService.config(folder), Ledger::new);
                    TypedClient client = Clients.ledger(service.port())) {
                client.call(new OpenAccount(1, true));
            }
            assertThat(batch.get().getDuration()).isPositive().isLessThan(Duration.ofMinutes(1));
            assertThat(batch.get().getLong("bytes")).isPositive();
            assertThat(force.get().getDuration()).isPositive();
            assertThat(stall.get().getDuration()).isLessThan(Duration.ofMinutes(1));
            assertThat(stall.get().getThread()).isNotNull();
        }
    }

    @Test
    void aRecordingHasTheSnapshots() throws Exception {
        CompletableFuture<RecordedEvent> seen = new CompletableFuture<>();
        try (RecordingStream stream = new RecordingStream();
                Service service = Service.start(LedgerService.config(folder), Ledger::new);
                TypedClient client = Clients.ledger(service.port())) {
            stream.onEvent("io.slipstream.Snapshot", seen::complete);
            stream.startAsync();
            client.call(new OpenAccount(1, true));
            SnapshotReport report = service.snapshot().get();
            assertThat(seen.get().getLong("sequence")).isEqualTo(report.sequence());
            assertThat(seen.get().getLong("bytes")).isEqualTo(report.bytes());
            assertThat(seen.get().getString("failure")).isEmpty();
            assertThat(seen.get().getDuration()).isPositive();
        }
    }
}
