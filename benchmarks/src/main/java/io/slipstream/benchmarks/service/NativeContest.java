package io.slipstream.benchmarks.service;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.ServiceEvents;
import java.io.IOException;
import java.time.Duration;

/** Commands of 64 bytes over 8 connections, 64 in flight each, beside a loop written by hand, under the same client. */
final class NativeContest implements Contest {
    private static final int CONNECTIONS = 8;
    private static final int IN_FLIGHT = 64;
    private static final int BYTES = 64;

    private final Scratch scratch = new Scratch();
    private final int commands;
    private final Service service;
    private final HandLoop loop;
    private final BareClients ours;
    private final BareClients theirs;

    NativeContest(Durability level, int commands) throws IOException {
        this.commands = commands;
        service = Service.start(config(scratch, level), new Counting());
        loop = new HandLoop(scratch.folder().resolve("loop"), level == Durability.SYNC);
        ours = new BareClients(service.port(), CONNECTIONS, IN_FLIGHT, BYTES);
        theirs = new BareClients(loop.port(), CONNECTIONS, IN_FLIGHT, BYTES);
    }

    static ServiceConfig config(Scratch scratch, Durability level) {
        return ServiceConfig.in(scratch.folder().resolve("service"))
                .withJournal(JournalConfig.at(level))
                .withEvents(ServiceEvents.ignored())
                .withMaxResponseTime(Duration.ofSeconds(10));
    }

    @Override
    public double ours() throws IOException {
        return ours.run(commands);
    }

    @Override
    public double peer() throws IOException {
        return theirs.run(commands);
    }

    @Override
    public void close() throws IOException {
        try (scratch;
                service;
                loop;
                ours;
                theirs) {
            service.close();
        }
    }
}
