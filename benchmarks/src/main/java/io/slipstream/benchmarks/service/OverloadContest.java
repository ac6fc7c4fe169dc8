package io.slipstream.benchmarks.service;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.journal.config.Durability;
import io.slipstream.service.Service;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/**
 * Three times as many commands as the service can do, beside as many as it can. Each command costs 50 microseconds, so
 * that clients on the same machine can offer that much.
 */
final class OverloadContest implements Contest {
    private static final long COST_NANOS = 50_000;
    private static final int MAX_RESPONSE_MILLIS = 50;

    private final Scratch scratch = new Scratch();
    private final double seconds;
    private final Service service;
    private final OpenLoop load;
    private final BareClients steady;
    private double peak;

    OverloadContest(double seconds) throws IOException {
        this.seconds = seconds;
        service = Service.start(
                NativeContest.config(scratch, Durability.PROCESS)
                        .withMaxResponseTime(Duration.ofMillis(MAX_RESPONSE_MILLIS)),
                new Costly());
        load = new OpenLoop(service.port(), 4);
        steady = new BareClients(service.port(), 4, 8, 64);
        peak = steady.run(20_000);
    }

    @Override
    public double ours() {
        OpenLoop.Outcome outcome = load.run(3 * peak, seconds);
        System.err.printf(
                Locale.ROOT,
                "  %,d offered, %,d answered, %,d refused; 99 %% of the answers within %.1f ms%n",
                outcome.offered(),
                outcome.answered(),
                outcome.busy(),
                outcome.p99Nanos() / 1e6);
        return outcome.answeredPerSecond();
    }

    @Override
    public double peer() throws IOException {
        peak = steady.run((long) (seconds * peak));
        return peak;
    }

    @Override
    public void close() throws IOException {
        try (scratch;
                service;
                load;
                steady) {
            load.close();
        }
    }

    private static final class Costly implements StateMachine {
        private long count;

        @Override
        public void onCommand(Request command, Output output) {
            count++;
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < COST_NANOS) {
                Thread.onSpinWait();
            }
        }

        @Override
        public long stateHash() {
            return count;
        }
    }
}
