package io.slipstream.benchmarks.http;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.http.config.HttpLimits;
import io.slipstream.journal.config.Durability;
import io.slipstream.service.typed.TypedClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Native commands at full rate while somebody looks at the dashboard, and while nobody does. */
final class DashboardContest implements Contest {
    private static final int IN_FLIGHT = 512;

    private final int seconds;
    private final Scratch scratch = new Scratch();
    private final Site site;
    private final TypedClient client;

    DashboardContest(int seconds) throws IOException {
        this.seconds = seconds;
        site = new Site(scratch.folder().resolve("data"), Durability.PROCESS, HttpLimits.DEFAULT);
        client = TypedClient.connect(Deposits.CONTRACT, "localhost", site.nativePort());
    }

    @Override
    public double ours() throws InterruptedException {
        HttpClient viewer = HttpClient.newHttpClient();
        CompletableFuture<HttpResponse<Void>> pictures = viewer.sendAsync(
                HttpRequest.newBuilder(URI.create("http://localhost:" + site.port() + "/live"))
                        .build(),
                HttpResponse.BodyHandlers.discarding());
        double rate = peer();
        if (pictures.isDone()) {
            throw new IllegalStateException("the dashboard has ended: " + pictures.join());
        }
        viewer.shutdownNow();
        return rate;
    }

    @Override
    public double peer() throws InterruptedException {
        Semaphore free = new Semaphore(IN_FLIGHT);
        LongAdder answered = new LongAdder();
        long begin = System.nanoTime();
        long end = begin + TimeUnit.SECONDS.toNanos(seconds);
        for (long account = 0; System.nanoTime() < end; account++) {
            free.acquire();
            client.callAsync(new Deposits.Deposit(account % 1_000, 1)).whenComplete((_, failure) -> {
                if (failure == null) {
                    answered.increment();
                }
                free.release();
            });
        }
        free.acquire(IN_FLIGHT);
        return answered.sum() * 1e9 / (System.nanoTime() - begin);
    }

    @Override
    public void close() throws IOException {
        try (scratch;
                site;
                client) {
            site.port();
        }
    }
}
