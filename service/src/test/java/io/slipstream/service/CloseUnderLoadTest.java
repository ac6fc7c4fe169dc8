package io.slipstream.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.host.Host;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.testkit.Await;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A service that closes while commands stream in: each command that got into the log is answered, whenever it came
 * (S10).
 */
class CloseUnderLoadTest {
    private static final int ROUNDS = 5;
    private static final int COMMANDS = 2_000;

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(Threading.class)
    void answersEveryCommandThatIsInItsLog(Threading threading) throws Exception {
        JournalConfig journal = JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20);
        for (int round = 0; round < ROUNDS; round++) {
            Path folder = directory.resolve(threading + "-" + round);
            Set<Long> answered;
            try (Service service = Service.start(
                            ServiceConfig.in(folder)
                                    .withMaxResponseTime(Await.RESPONSE)
                                    .withJournal(journal)
                                    .withThreading(threading),
                            new LedgerMachine());
                    Socket socket = new Socket("127.0.0.1", service.port())) {
                RawFrames.send(socket, RawFrames.hello(7));
                assertThat(Message.type(RawFrames.receive(socket), 0)).isEqualTo(MessageType.WELCOME);
                Thread sender = Thread.ofVirtual().start(() -> sendAll(socket));
                RawFrames.receive(socket);
                // Somewhere in the stream: each round has got to another place.
                Thread closing = Thread.ofVirtual().start(service::close);
                answered = repliesUntilTheEnd(socket);
                answered.add(1L);
                closing.join();
                sender.join();
                assertThat(service.ended()).isCompleted();
            }
            assertThat(answered).containsAll(logged(folder, journal));
        }
    }

    /** At that moment it is neither refused nor counted, and a close that looks at the counts alone would forget it. */
    @Test
    void waitsForACommandThatHasGotItsPlaceAndIsNotPublishedYet() throws Exception {
        CountDownLatch hasItsPlace = new CountDownLatch(1);
        CountDownLatch closeWaits = new CountDownLatch(1);
        LineProtocol lines = new LineProtocol(() -> {
            hasItsPlace.countDown();
            try {
                Await.until("close waits for the gateway", () -> closeWaits.getCount() == 0);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        ServiceConfig config = ServiceConfig.in(directory)
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS))
                .withThreading(Threading.THREE)
                .withHost(hostThatTells(closeWaits))
                .withProtocol(lines, new InetSocketAddress("127.0.0.1", 0));
        Service service = Service.start(config, new LedgerMachine());
        try (Socket socket = new Socket("127.0.0.1", service.port(lines))) {
            RawFrames.send(socket, "5\n".getBytes(StandardCharsets.UTF_8));
            hasItsPlace.await();
            service.close();
            assertThat(service.ended()).isCompleted();
            assertThat(socket.getInputStream().readAllBytes())
                    .asString(StandardCharsets.UTF_8)
                    .startsWith("1\n");
        } finally {
            service.close();
        }
    }

    /** Returns this machine; {@code paused} is counted down by the thread that waits for something, as close does. */
    private static Host hostThatTells(CountDownLatch paused) {
        return (Host) Proxy.newProxyInstance(
                Host.class.getClassLoader(), new Class<?>[] {Host.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("pause")) {
                        paused.countDown();
                    }
                    return method.invoke(Host.system(), arguments);
                });
    }

    private static void sendAll(Socket socket) {
        try {
            for (int i = 1; i <= COMMANDS; i++) {
                RawFrames.send(socket, RawFrames.command(MessageType.COMMAND, i, i));
            }
        } catch (IOException e) {
            // The service has closed the connection.
        }
    }

    private static Set<Long> repliesUntilTheEnd(Socket socket) throws IOException {
        Set<Long> answered = new TreeSet<>();
        try {
            while (true) {
                MemorySegment frame = RawFrames.receive(socket);
                if (Message.type(frame, 0) == MessageType.REPLY) {
                    answered.add(Message.correlation(frame, 0));
                }
            }
        } catch (EOFException | SocketException e) {
            return answered;
        }
    }

    private static List<Long> logged(Path folder, JournalConfig config) throws IOException {
        List<Long> commands = new ArrayList<>();
        try (Journal journal = Journal.open(folder, config)) {
            journal.read(journal.firstSequence(), (memory, offset, length) -> {
                if (Message.type(memory, offset) == MessageType.COMMAND) {
                    commands.add(Message.correlation(memory, offset));
                }
            });
        }
        return commands;
    }
}
