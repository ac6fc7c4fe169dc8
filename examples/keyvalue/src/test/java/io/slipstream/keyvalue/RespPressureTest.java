package io.slipstream.keyvalue;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.ServiceEvents;
import io.slipstream.service.Threading;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.pressure.PressureGauge.Level;
import io.slipstream.testkit.Await;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RespPressureTest {
    private static final int MOST = 20;
    /** From 85 % on queries are refused; the opening of the session may still be one that waits. */
    private static final int HELD = MOST - 2;

    @TempDir
    Path folder;

    private final RespProtocol protocol = new RespProtocol();
    private final CountDownLatch shedding = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    @Test
    void saysInItsTurnThatARequestWasRefused() throws Exception {
        try (Service service = start();
                RespClient client = new RespClient(new Socket("127.0.0.1", service.port(protocol)))) {
            for (int i = 0; i < HELD; i++) {
                client.write("APPEND", "a", "x");
            }
            client.flush();
            Await.done(shedding);
            client.write("GET", "a");
            client.flush();
            Await.until("the query is refused", () -> service.refused() > 0);
            go.countDown();
            for (long i = 1; i <= HELD; i++) {
                assertThat(client.read()).isEqualTo(i);
            }
            assertThat((String) client.read()).startsWith("-BUSY ");
            assertThat(client.call("APPEND", "a", "x")).isEqualTo(HELD + 1L);
        } finally {
            go.countDown();
        }
    }

    private Service start() throws Exception {
        ServiceEvents events = new ServiceEvents() {
            @Override
            public void onPressure(Level level, long pending, long limit) {
                if (level == Level.SHEDDING) {
                    shedding.countDown();
                }
            }
        };
        return Service.start(
                ServiceConfig.in(folder)
                        .withAddress(new InetSocketAddress("127.0.0.1", 0))
                        .withProtocol(protocol, new InetSocketAddress("127.0.0.1", 0))
                        .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 22))
                        .withThreading(Threading.THREE)
                        .withLimits(limits -> limits.withMaxPending(MOST).withMaxUnreadBytes(1 << 26))
                        // Otherwise the query waits for room for its answer.
                        .withMaxResponseTime(Duration.ofMinutes(1))
                        .withEvents(events),
                new Held());
    }

    /** A store that applies nothing until it may. */
    private final class Held implements StateMachine {
        private final KeyValueStore store = new KeyValueStore();

        @Override
        public void onCommand(Request command, Output output) {
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            store.onCommand(command, output);
        }

        @Override
        public void onQuery(Request query, Output output) {
            store.onQuery(query, output);
        }

        @Override
        public long stateHash() {
            return store.stateHash();
        }
    }
}
