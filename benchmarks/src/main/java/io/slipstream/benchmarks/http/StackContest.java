package io.slipstream.benchmarks.http;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.http.config.HttpLimits;
import io.slipstream.journal.config.Durability;
import java.io.IOException;
import java.sql.SQLException;

/** Commands at level SYNC, beside a web server with a database; both force them to disk before the answer. */
final class StackContest implements Contest {
    private static final int CONNECTIONS = 64;

    private final int seconds;
    private final Scratch scratch = new Scratch();
    private final Wrk wrk = new Wrk(scratch.folder());
    private final Site site;
    private final PostgresServer database = new PostgresServer();
    private final HelidonStack stack;

    StackContest(int seconds) throws IOException, SQLException {
        this.seconds = seconds;
        site = new Site(scratch.folder().resolve("data"), Durability.SYNC, HttpLimits.DEFAULT);
        stack = new HelidonStack(database.url());
    }

    @Override
    public double ours() throws IOException {
        return wrk.run(site.port(), CONNECTIONS, seconds).answered();
    }

    @Override
    public double peer() throws IOException {
        return wrk.run(stack.port(), CONNECTIONS, seconds).answered();
    }

    @Override
    public void close() throws IOException {
        try (scratch;
                site;
                database;
                stack) {
            site.port();
        }
    }
}
