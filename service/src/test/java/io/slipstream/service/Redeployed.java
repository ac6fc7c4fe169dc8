package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;

import io.slipstream.core.counters.Counters;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.FeedHandler;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.Opened;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;

/** A program in a container: a service and its clients by TCP and shared memory, which end without the process. */
public final class Redeployed {
    private Redeployed() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        Path door = folder.resolve("s.ipc");
        try (Opened opened = new Opened()) {
            Service service = opened.add(Service.start(
                    ServiceConfig.in(folder.resolve("journal"))
                            .withSharedMemory(door)
                            .withMaxResponseTime(Duration.ofMinutes(1))
                            .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 18)),
                    new FeedMachine(),
                    opened.add(Counters.createDefault(1 << 10))));
            use(opened.add(TestClients.connect(service.port())));
            use(opened.add(TestClients.builder(door).connect()));
        }
    }

    private static void use(ServiceClient client) throws Exception {
        Await.done(client.subscribe(FeedMachine.TOPIC, new Follower()).started());
        for (int i = 0; i < 100; i++) {
            client.call(payload(i));
        }
        Await.done(client.send(payload(1)));
        client.status();
    }

    /** Follows, and keeps nothing. */
    private static final class Follower implements FeedHandler {
        @Override
        public void onItem(long sequence, int index, MemorySegment memory, long offset, int length) {
            // It is about threads.
        }
    }
}
