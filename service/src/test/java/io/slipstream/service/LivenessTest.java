package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.FeedHandler;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.host.Host;
import io.slipstream.service.protocol.Hello;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.testkit.Await;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each side notices that the other one's machine is gone, and gives signs of life itself. */
class LivenessTest {
    private static final long SECOND = 1_000_000_000;

    @TempDir
    Path directory;

    private final AtomicLong elapsed = new AtomicLong();

    /** So that newcomers have room: a machine that has lost its power ends no connection. */
    @Test
    void aSessionWhoseClientIsSilentMakesRoom() throws Exception {
        ServiceConfig config =
                config().withLimits(limits -> limits.withClients(16, 1, 4096)).withHost(host());
        try (Service service = Service.start(config, new FeedMachine());
                Socket dead = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
            dead.setSoTimeout((int) Await.PATIENCE.toMillis());
            byte[] hello = RawFrames.hello(99);
            Hello.revision(MemorySegment.ofArray(hello), 0, Hello.REVISION);
            RawFrames.send(dead, hello);
            assertThat(Message.type(RawFrames.receive(dead), 0)).isEqualTo(MessageType.WELCOME);
            elapsed.addAndGet(Hello.SILENCE_NANOS + 2 * SECOND);
            assertThat(dead.getInputStream().read()).as("the connection ends").isEqualTo(-1);
            try (ServiceClient newcomer = TestClients.connect(service.port())) {
                newcomer.call(payload(1));
            }
        }
    }

    /** What a client hears tells the service nothing: it has to say something itself. */
    @Test
    void aClientThatOnlyListensSaysThatItIsThere() throws Exception {
        try (Service service = Service.start(config(), new FeedMachine());
                ServiceClient writer = TestClients.connect(service.port());
                ServiceClient listener =
                        TestClients.builder(service.port()).machine(host()).connect()) {
            AtomicLong heard = new AtomicLong();
            Await.done(listener.subscribe(FeedMachine.TOPIC, counting(heard)).started());
            long before = service.accepted();
            int calls = 0;
            // While it hears something all the time: one that hears nothing asks anyway.
            while (calls < 100 && service.accepted() - before < calls + 2) {
                elapsed.addAndGet(SECOND);
                writer.call(payload(++calls));
                long wanted = calls;
                Await.until("it hears", () -> heard.get() >= wanted);
            }
            assertThat(service.accepted() - before)
                    .as("it has asked for the status, too")
                    .isGreaterThanOrEqualTo(calls + 2);
        }
    }

    private ServiceConfig config() {
        return ServiceConfig.in(directory)
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 18));
    }

    private static FeedHandler counting(AtomicLong heard) {
        return new FeedHandler() {
            @Override
            public void onSnapshotItem(MemorySegment memory, long offset, int length) {
                // What was there before.
            }

            @Override
            public void onItem(long sequence, int index, MemorySegment memory, long offset, int length) {
                heard.incrementAndGet();
            }
        };
    }

    /** Returns this machine with a time that runs ahead when the test says so. */
    private Host host() {
        return (Host) Proxy.newProxyInstance(
                Host.class.getClassLoader(),
                new Class<?>[] {Host.class},
                (proxy, method, arguments) -> method.getName().equals("nanoTime")
                        ? System.nanoTime() + elapsed.get()
                        : method.invoke(Host.system(), arguments));
    }
}
