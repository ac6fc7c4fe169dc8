package io.slipstream.benchmarks.service;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.journal.config.Durability;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.snapshot.SnapshotReport;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * The longest that a command waited while a snapshot was taken of a second machine, beside the pause of a service that
 * has the one alone.
 */
final class PauseContest implements Contest {
    private final Scratch first = new Scratch();
    private final Scratch second = new Scratch();
    private final Service ours;
    private final Service theirs;
    private final ServiceClient toOurs;
    private final ServiceClient toTheirs;

    PauseContest(long stateBytes) throws IOException {
        ServiceConfig config = NativeContest.config(first, Durability.PROCESS);
        ours = Service.start(config, () -> new Large(stateBytes));
        theirs = Service.start(NativeContest.config(second, Durability.PROCESS), new Large(stateBytes));
        toOurs = ServiceClient.connect("127.0.0.1", ours.port());
        toTheirs = ServiceClient.connect("127.0.0.1", theirs.port());
    }

    @Override
    public double ours() throws Exception {
        return longestWaitMillis(ours, toOurs);
    }

    @Override
    public double peer() throws Exception {
        return longestWaitMillis(theirs, toTheirs);
    }

    private static double longestWaitMillis(Service service, ServiceClient client)
            throws InterruptedException, ExecutionException {
        byte[] payload = new byte[64];
        client.call(payload);
        CompletableFuture<SnapshotReport> snapshot = service.snapshot();
        long longest = 0;
        do {
            long begin = System.nanoTime();
            client.call(payload);
            longest = Math.max(longest, System.nanoTime() - begin);
        } while (!snapshot.isDone());
        snapshot.get();
        return longest / 1e6;
    }

    @Override
    public void close() throws IOException {
        try (first;
                second;
                ours;
                theirs;
                toOurs;
                toTheirs) {
            toOurs.close();
        }
    }
}
