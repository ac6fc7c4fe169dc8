package io.slipstream.service;

import io.slipstream.core.thread.Patience;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.ReplyHandler;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.machine.StateMachine;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Lets the JVM compile a service before it serves, so that its first seconds refuse no more than the others.
 *
 * <p>A second service, with a machine and a folder of its own, gets these commands over a socket, and is thrown away.
 * The start takes longer by {@code time}.
 *
 * @param time     for how long
 * @param commands makes the payload of each command, from the number 0 on; what they are like decides what is compiled
 */
public record WarmUp(Duration time, IntFunction<byte[]> commands) {
    private static final long FULL_NANOS = 50_000;

    /* Longer ones would need larger rings and segments, and no other code. */
    private static final int LONGEST_FRAME = 1 << 20;

    /** Checks the values. */
    public WarmUp {
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(commands, "commands");
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("a warm-up takes some time, not " + time);
        }
    }

    /** Warms up with those payloads, again and again, for two seconds. */
    public static WarmUp with(List<byte[]> payloads) {
        List<byte[]> copy = List.copyOf(payloads);
        if (copy.isEmpty()) {
            throw new IllegalArgumentException("a warm-up needs a command");
        }
        return new WarmUp(Duration.ofSeconds(2), number -> copy.get(number % copy.size()));
    }

    void run(ServiceConfig config, Supplier<? extends StateMachine> machines) throws IOException {
        Path folder = Files.createTempDirectory("slipstream-warm-up-");
        try {
            StateMachine machine = machines.get();
            try (Service second = Service.start(like(config, folder), machine);
                    ServiceClient client = ServiceClient.builder("127.0.0.1", second.port())
                            .handler(new Nobody())
                            .connect()) {
                send(client);
            } finally {
                machine.close();
            }
        } finally {
            delete(folder);
        }
    }

    /** As the one that is to serve, but alone: nobody else finds it, and nobody hears of it. */
    private static ServiceConfig like(ServiceConfig config, Path folder) {
        JournalConfig journal = JournalConfig.at(Durability.PROCESS);
        return ServiceConfig.in(folder)
                .withJournal(journal)
                .withAddress(new InetSocketAddress("127.0.0.1", 0))
                .withLimits(limits ->
                        limits.withMaxFrameLength(Math.min(config.limits().maxFrameLength(), LONGEST_FRAME)))
                .withThreading(config.threading())
                .withWaiting(config.waiting())
                .withEvents(ServiceEvents.ignored());
    }

    private void send(ServiceClient client) {
        long begin = System.nanoTime();
        int number = 0;
        while (System.nanoTime() - begin < Patience.nanos(time)) {
            MemorySegment payload = MemorySegment.ofArray(commands.apply(number));
            if (client.offer(payload, 0, (int) payload.byteSize(), number)) {
                number = number + 1 & Integer.MAX_VALUE;
            } else {
                LockSupport.parkNanos(FULL_NANOS);
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.deleteIfExists(each);
        }
    }

    /** Reads answers, and does nothing with them. */
    private static final class Nobody implements ReplyHandler {
        @Override
        public void onReply(long attachment, long sequence, MemorySegment memory, long offset, int length) {}

        @Override
        public void onFailure(long attachment, ServiceException failure) {}

        @Override
        public void onBusy(long attachment, long retryAfterNanos) {}
    }
}
