package io.slipstream.benchmarks.service;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.journal.config.Durability;
import io.slipstream.service.Service;
import io.slipstream.service.client.ReplyHandler;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** The same service under its own client and under one that only writes bytes prepared before. */
final class ClientContest implements Contest {
    private static final int CONNECTIONS = 8;
    private static final int IN_FLIGHT = 64;
    private static final int BYTES = 64;

    private final Scratch scratch = new Scratch();
    private final int commands;
    private final Service service;
    private final BareClients bare;
    private final List<Counted> clients = new ArrayList<>();

    ClientContest(Durability level, int commands) throws IOException {
        this.commands = commands;
        service = Service.start(NativeContest.config(scratch, level), new Counting());
        bare = new BareClients(service.port(), CONNECTIONS, IN_FLIGHT, BYTES);
        for (int i = 0; i < CONNECTIONS; i++) {
            clients.add(new Counted(service.port()));
        }
    }

    @Override
    public double ours() {
        MemorySegment payload = MemorySegment.ofArray(new byte[BYTES]);
        long begin = System.nanoTime();
        long before = answered();
        int sent = 0;
        while (sent < commands) {
            int sentBefore = sent;
            for (Counted client : clients) {
                while (sent < commands
                        && client.sent - client.answered.getAcquire() < IN_FLIGHT
                        && client.client.offer(payload, 0, BYTES, 0)) {
                    client.sent++;
                    sent++;
                }
            }
            if (sent == sentBefore) {
                LockSupport.parkNanos(1_000);
            }
        }
        while (answered() - before < commands) {
            LockSupport.parkNanos(1_000);
        }
        return commands / ((System.nanoTime() - begin) / 1e9);
    }

    @Override
    public double peer() throws IOException {
        return bare.run(commands);
    }

    private long answered() {
        return clients.stream()
                .mapToLong(client -> client.answered.getAcquire())
                .sum();
    }

    @Override
    public void close() throws IOException {
        try (scratch;
                service;
                bare) {
            clients.forEach(each -> each.client.close());
        }
    }

    private static final class Counted implements ReplyHandler {
        private final ServiceClient client;
        private final AtomicLong answered = new AtomicLong();
        private long sent;

        Counted(int port) throws IOException {
            client = ServiceClient.builder("127.0.0.1", port).handler(this).connect();
        }

        @Override
        public void onReply(long attachment, long sequence, MemorySegment memory, long offset, int length) {
            answered.setRelease(answered.getPlain() + 1);
        }

        @Override
        public void onFailure(long attachment, ServiceException failure) {
            throw new IllegalStateException(failure);
        }

        @Override
        public void onBusy(long attachment, long retryAfterNanos) {
            throw new IllegalStateException("refused, although there is time for ten seconds of work");
        }
    }
}
