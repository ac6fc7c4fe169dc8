package io.slipstream.benchmarks.service;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.journal.config.Durability;
import io.slipstream.service.Service;
import java.io.IOException;
import java.nio.file.Files;

/**
 * The same state machine as a service, whose clients come over sockets, and as a persistent actor, which is told in the
 * same process: 512 in flight, every answer forced.
 */
final class ActorContest implements Contest {
    private final Scratch scratch = new Scratch();
    private final int commands;
    private final int fewer;
    private final Service service;
    private final BareClients clients;
    private final PersistentActor actor;

    ActorContest(int commands, int fewer) throws IOException {
        this.commands = commands;
        this.fewer = fewer;
        service = Service.start(NativeContest.config(scratch, Durability.SYNC), new Counting());
        clients = new BareClients(service.port(), 8, 64, 64);
        actor = new PersistentActor(Files.createDirectory(scratch.folder().resolve("actor")), true);
    }

    @Override
    public double ours() throws IOException {
        return clients.run(commands);
    }

    @Override
    public double peer() {
        return actor.run(fewer);
    }

    @Override
    public void close() throws IOException {
        try (scratch;
                service;
                clients;
                actor) {
            service.close();
        }
    }
}
