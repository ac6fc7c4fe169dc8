package io.slipstream.benchmarks.http;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.http.config.HttpLimits;
import io.slipstream.journal.config.Durability;
import java.io.IOException;
import java.util.Locale;

/**
 * What is answered while three times as many ask as may wait, beside what is answered while as many ask as may. All
 * other answers are 503 with {@code Retry-After}; the clients ignore it and ask again at once.
 */
final class OverloadContest implements Contest {
    private static final int MAY_WAIT = 64;

    private final int seconds;
    private final Scratch scratch = new Scratch();
    private final Wrk wrk = new Wrk(scratch.folder());
    private final Site site;

    OverloadContest(int seconds) throws IOException {
        this.seconds = seconds;
        site = new Site(scratch.folder().resolve("data"), Durability.SYNC, HttpLimits.DEFAULT.withPending(MAY_WAIT));
    }

    @Override
    public double ours() throws IOException {
        Wrk.Counts counts = wrk.run(site.port(), 3 * MAY_WAIT, seconds);
        System.err.printf(
                Locale.ROOT,
                "http, overload: %,.0f answered and %,.0f refused a second%n",
                counts.answered(),
                counts.busy());
        return counts.answered();
    }

    @Override
    public double peer() throws IOException {
        return wrk.run(site.port(), MAY_WAIT, seconds).answered();
    }

    @Override
    public void close() throws IOException {
        try (scratch;
                site) {
            site.port();
        }
    }
}
