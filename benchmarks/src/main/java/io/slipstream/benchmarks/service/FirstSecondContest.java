package io.slipstream.benchmarks.service;

import io.slipstream.benchmarks.suite.Contest;
import java.io.IOException;

/** How many of 20,000 commands are answered in the first second of a service, in percent. */
final class FirstSecondContest implements Contest {
    private static final double RATE = 20_000;

    private final Scratch scratch = new Scratch();
    private final boolean warm;
    private int round;

    FirstSecondContest(boolean warm) throws IOException {
        this.warm = warm;
    }

    @Override
    public double ours() throws IOException {
        try (ServiceProcess service = new ServiceProcess(scratch.folder().resolve("round-" + ++round), warm);
                OpenLoop load = new OpenLoop(service.port(), 4)) {
            OpenLoop.Outcome outcome = load.run(RATE, 1);
            return 100.0 * outcome.answered() / RATE;
        }
    }

    @Override
    public double peer() {
        return 100;
    }

    @Override
    public void close() throws IOException {
        scratch.close();
    }
}
