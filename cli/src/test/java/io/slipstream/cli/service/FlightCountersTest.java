package io.slipstream.cli.service;

import io.slipstream.core.counters.Counter;
import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.counters.FlightCounters;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;

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
                if (event.getString("owner").equals("input ring") && event.getString("label").equals("depth")) {
                    seen.complete(event.getLong("value"));
                }
            });
            stream.startAsync();
            assertThat(seen.get()).isEqualTo(42);
        }
    }
}
