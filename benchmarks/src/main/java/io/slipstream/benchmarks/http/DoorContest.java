package io.slipstream.benchmarks.http;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.http.config.HttpLimits;
import io.slipstream.journal.config.Durability;
import java.io.IOException;

/** A gateway that reaches its service through shared memory, beside one that does so by TCP. */
final class DoorContest implements Contest {
    private static final int CONNECTIONS = 64;

    private final int seconds;
    private final Scratch scratch = new Scratch();
    private final Wrk wrk = new Wrk(scratch.folder());
    private final Site memory;
    private final Site tcp;

    DoorContest(int seconds) throws IOException {
        this.seconds = seconds;
        memory = new Site(
                scratch.folder().resolve("memory"),
                Durability.PROCESS,
                HttpLimits.DEFAULT,
                scratch.folder().resolve("door"));
        tcp = new Site(scratch.folder().resolve("tcp"), Durability.PROCESS, HttpLimits.DEFAULT);
    }

    @Override
    public double ours() throws IOException {
        return wrk.run(memory.port(), CONNECTIONS, seconds).answered();
    }

    @Override
    public double peer() throws IOException {
        return wrk.run(tcp.port(), CONNECTIONS, seconds).answered();
    }

    @Override
    public void close() throws IOException {
        try (scratch;
                tcp;
                memory) {
            memory.port();
        }
    }
}
