package io.slipstream.cli.typed;

import io.slipstream.cli.load.Load;
import io.slipstream.cli.load.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Generates the load in this process. */
final class LocalRunner implements Runner {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Load<Caller> load;
    private volatile boolean stopped;

    LocalRunner(Load<Caller> load) {
        this.load = load;
    }

    @Override
    public Measured run(double rate, Duration time, Load.Reporter each) {
        List<Measured.Interval> intervals = new ArrayList<>();
        Load.Reporter reporter = (seconds, tally, latencies) -> {
            intervals.add(new Measured.Interval(seconds, tally, latencies));
            each.report(seconds, tally, latencies);
        };
        Tally before = Tally.of(load.sources());
        long begun = System.currentTimeMillis();
        long begunNanos = System.nanoTime();
        Load.Result result = load.run(rate, time, false, () -> !stopped, reporter);
        long outstanding = load.awaitAnswers(PATIENCE);
        // The latest answers are the slowest: without them a stall at the end of a step would look like none.
        Tally all = Tally.of(load.sources()).since(before);
        Tally late = all.since(result.tally());
        Histogram latencies = result.latencies();
        Histogram lateLatencies = load.takeLatencies();
        latencies.add(lateLatencies);
        if (late.answered() + late.busy() + late.failed() > 0) {
            reporter.report((System.nanoTime() - begunNanos) / 1e9, late, lateLatencies);
        }
        return new Measured(rate, begun, result.seconds(), intervals, all, latencies, late.answered(), outstanding);
    }

    @Override
    public @Nullable String lastFailure() {
        return load.lastFailure();
    }

    @Override
    public void stop() {
        stopped = true;
    }

    @Override
    public void close() {
        load.close();
    }
}
