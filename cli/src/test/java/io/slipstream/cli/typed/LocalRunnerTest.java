package io.slipstream.cli.typed;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cli.load.Load;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.ServiceEvents;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalRunnerTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    /** The latest are the slowest: without them a service that stood still at the end looks as quick as ever. */
    @Test
    void whatIsAnsweredBehindTheEndOfAStepCountsWithItsLatency() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        ServiceConfig config = ServiceConfig.in(folder)
                .withEvents(ServiceEvents.ignored())
                .withMaxResponseTime(LONG)
                .withSlowEntryAfter(LONG)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20));
        try (Service service = Service.start(config, new StandsStill(over));
                LocalRunner runner = new LocalRunner(new Load<>(
                        1,
                        _ -> new Caller(
                                ServiceClient.builder("127.0.0.1", service.port()),
                                new Payloads(List.of(), 8, 1, 1, 1))))) {
            Measured measured = runner.run(20, Duration.ofMillis(400), (seconds, tally, latencies) -> over.countDown());
            assertThat(measured.outstanding()).isZero();
            assertThat(measured.tally().offered()).isEqualTo(8);
            assertThat(measured.tally().answered()).isEqualTo(8);
            assertThat(measured.late()).isEqualTo(8);
            assertThat(measured.answeredPerSecond()).isZero();
            assertThat(measured.latencies().getTotalCount()).isEqualTo(8);
            assertThat(measured.latencies().getMaxValue()).isGreaterThan(350_000_000);
            assertThat(measured.intervals().getLast().tally().answered()).isEqualTo(8);
            assertThat(measured.isBeyondKnee(50)).isTrue();
        }
    }

    private record StandsStill(CountDownLatch over) implements StateMachine {
        @Override
        public void onCommand(Request command, Output output) {
            try {
                over.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public long stateHash() {
            return 0;
        }
    }
}
