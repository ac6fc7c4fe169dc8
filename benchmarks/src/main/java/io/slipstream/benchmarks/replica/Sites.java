package io.slipstream.benchmarks.replica;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.replica.backup.BackupConfig;
import io.slipstream.replica.backup.BackupSite;
import io.slipstream.replica.primary.JournalPush;
import io.slipstream.replica.primary.PushConfig;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** What both contests need: two folders on the disk that is measured, and a load. */
final class Sites {
    private static final String TOKEN = "a token of both sites";
    private static final int IN_FLIGHT = 512;

    private Sites() {}

    static Path folder() throws IOException {
        return Files.createTempDirectory(Files.createDirectories(Path.of("target", "sites")), "round");
    }

    static ServiceConfig config(Path folder, Durability level) {
        return ServiceConfig.in(folder)
                .withJournal(JournalConfig.at(level))
                .withMaxResponseTime(Duration.ofSeconds(30));
    }

    static BackupSite backup(Path folder, Durability level) throws IOException {
        return BackupSite.start(
                config(folder, level), BackupConfig.of(new InetSocketAddress("127.0.0.1", 0), TOKEN), new Counter());
    }

    static JournalPush push(Path primary, int port) {
        return new JournalPush(PushConfig.of(primary, new InetSocketAddress("127.0.0.1", port), TOKEN));
    }

    /** Waits until the backup has acknowledged all. */
    static void awaitAll(JournalPush push) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (push.lag() > 0 || !push.isConnected()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("the backup lacks " + push.lag() + " records after two minutes");
            }
            LockSupport.parkNanos(200_000);
        }
    }

    /** Sends commands, many in flight, and waits until the last one is answered; returns the nanoseconds. */
    static long send(ServiceClient client, int bytes, int commands) throws Exception {
        byte[] payload = new byte[bytes];
        ArrayDeque<CompletableFuture<Reply>> open = new ArrayDeque<>(IN_FLIGHT);
        long begin = System.nanoTime();
        for (int i = 0; i < commands; i++) {
            if (open.size() == IN_FLIGHT) {
                open.remove().get(1, TimeUnit.MINUTES);
            }
            open.add(client.send(payload));
        }
        for (CompletableFuture<Reply> reply : open) {
            reply.get(1, TimeUnit.MINUTES);
        }
        return System.nanoTime() - begin;
    }

    static void remove(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> paths = Files.walk(folder)) {
            all = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.delete(path);
        }
    }
}
