package io.slipstream.benchmarks.http;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.http.config.HttpLimits;
import io.slipstream.journal.config.Durability;
import java.io.IOException;

/** Commands that are forced to disk before they are answered, beside those that are not. */
final class LevelContest implements Contest {
    private static final int CONNECTIONS = 64;

    private final int seconds;
    private final Scratch scratch = new Scratch();
    private final Wrk wrk = new Wrk(scratch.folder());
    private final Site forced;
    private final Site written;

    LevelContest(int seconds) throws IOException {
        this.seconds = seconds;
        forced = new Site(scratch.folder().resolve("sync"), Durability.SYNC, HttpLimits.DEFAULT);
        written = new Site(scratch.folder().resolve("process"), Durability.PROCESS, HttpLimits.DEFAULT);
    }

    @Override
    public double ours() throws IOException {
        return wrk.run(forced.port(), CONNECTIONS, seconds).answered();
    }

    @Override
    public double peer() throws IOException {
        return wrk.run(written.port(), CONNECTIONS, seconds).answered();
    }

    @Override
    public void close() throws IOException {
        try (scratch;
                written;
                forced) {
            forced.port();
        }
    }
}
