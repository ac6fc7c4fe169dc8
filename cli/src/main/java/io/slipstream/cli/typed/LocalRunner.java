package io.slipstream.cli.typed;

import io.slipstream.cli.load.Load;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
        long begun = System.currentTimeMillis();
        Load.Result result = load.run(rate, time, false, () -> !stopped, (seconds, tally, latencies) -> {
            intervals.add(new Measured.Interval(seconds, tally, latencies));
            each.report(seconds, tally, latencies);
        });
        long outstanding = load.awaitAnswers(PATIENCE);
        return new Measured(rate, begun, result.seconds(), intervals, result.tally(), result.latencies(), outstanding);
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
