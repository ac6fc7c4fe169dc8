package io.slipstream.benchmarks.http;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.http.config.HttpLimits;
import io.slipstream.journal.config.Durability;
import java.io.IOException;
import java.nio.file.Path;

/** Commands to one of our sites, beside the same to another one. */
final class SitesContest implements Contest {
    private static final int CONNECTIONS = 64;

    private final int seconds;
    private final Scratch scratch = new Scratch();
    private final Wrk wrk = new Wrk(scratch.folder());
    private final Site ours;
    private final Site peer;

    private SitesContest(int seconds, Durability level, Durability levelOfPeer, boolean hasDoor) throws IOException {
        this.seconds = seconds;
        Path door = hasDoor ? scratch.folder().resolve("door") : null;
        ours = new Site(scratch.folder().resolve("ours"), level, HttpLimits.DEFAULT, door);
        peer = new Site(scratch.folder().resolve("peer"), levelOfPeer, HttpLimits.DEFAULT);
    }

    /** Commands that are forced to disk before they are answered, beside those that are not. */
    static SitesContest levels(int seconds) throws IOException {
        return new SitesContest(seconds, Durability.SYNC, Durability.PROCESS, false);
    }

    /** A gateway that reaches its service through shared memory, beside one that does so by TCP. */
    static SitesContest ways(int seconds) throws IOException {
        return new SitesContest(seconds, Durability.PROCESS, Durability.PROCESS, true);
    }

    @Override
    public double ours() throws IOException {
        return wrk.run(ours.port(), CONNECTIONS, seconds).answered();
    }

    @Override
    public double peer() throws IOException {
        return wrk.run(peer.port(), CONNECTIONS, seconds).answered();
    }

    @Override
    public void close() throws IOException {
        try (scratch;
                peer;
                ours) {
            ours.port();
        }
    }
}
