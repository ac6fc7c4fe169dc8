package io.slipstream.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.service.client.ServiceException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class LoadTest {
    /** Whoever asks for what came late subtracts the result: an answer in the tally alone would lack its latency. */
    @Test
    void whatIsAnsweredWhileTheLastIntervalIsReportedIsNotInTheResult() throws IOException {
        Held held = new Held();
        List<Tally> intervals = new ArrayList<>();
        try (Load<Held> load = new Load<>(1, _ -> held)) {
            Load.Result result = load.run(20, Duration.ofMillis(400), false, () -> true, (_, tally, _) -> {
                intervals.add(tally);
                held.answer();
            });

            assertThat(result.tally().offered()).isEqualTo(8);
            assertThat(result.tally().answered()).isZero();
            assertThat(result.latencies().getTotalCount()).isZero();
            assertThat(intervals).containsExactly(result.tally());
            assertThat(load.takeLatencies().getTotalCount()).isEqualTo(8);
        }
    }

    /** Answers when it is told to. */
    private static final class Held implements Load.Source {
        private final Histogram latencies = new Histogram(3);
        private long offered;
        private long answered;

        void answer() {
            latencies.recordValueWithCount(1_000_000, offered - answered);
            answered = offered;
        }

        @Override
        public boolean offer(long dueNanos) {
            offered++;
            return true;
        }

        @Override
        public Tally tally() {
            return new Tally(offered, answered, 0, 0, 0);
        }

        @Override
        public Histogram takeLatencies() {
            Histogram taken = latencies.copy();
            latencies.reset();
            return taken;
        }

        @Override
        public @Nullable ServiceException lastFailure() {
            return null;
        }

        @Override
        public void close() {}
    }
}
