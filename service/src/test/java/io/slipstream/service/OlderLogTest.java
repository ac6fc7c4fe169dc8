package io.slipstream.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.ReplyHandler;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that knows more than the service does, which goes on from a backup. */
class OlderLogTest {
    private final Listener listener = new Listener();

    @TempDir
    private Path folder;

    @Test
    void aClientHearsThatTheServiceHasAnotherLogAndThenEachEventOfIt() throws Exception {
        Path log = folder.resolve("log");
        Path backup = folder.resolve("backup");
        Service service = start(log, 0);
        int port = service.port();
        try (ServiceClient client = TestClients.builder(port).handler(listener).connect()) {
            client.call(new byte[] {0});
            tell(port, 1, 2);
            service.close();
            copy(log, backup);
            service = start(log, port);
            tell(port, 3, 4, 5, 6);
            Await.until("it has heard them", () -> listener.heard.contains(6));
            assertThat(listener.missed).hasValue(0);
            service.close();
            service = start(backup, port);
            Await.until("it was told", () -> listener.missed.get() == 1);
            tell(port, 7, 8);
            Await.until("it has heard them", () -> listener.heard.contains(8));
            service.close();
            service = start(backup, port);
            client.call(new byte[] {0});
            tell(port, 9);
            Await.until("it has heard it", () -> listener.heard.contains(9));
            assertThat(listener.heard).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
            assertThat(listener.missed).hasValue(1);
        } finally {
            service.close();
        }
    }

    private static Service start(Path directory, int port) throws IOException {
        return Service.start(
                ServiceConfig.in(directory)
                        .withAddress(new InetSocketAddress("127.0.0.1", port))
                        .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20)),
                new Teller());
    }

    private static void tell(int port, int... numbers) throws IOException {
        try (ServiceClient other = TestClients.connect(port)) {
            for (int number : numbers) {
                other.call(new byte[] {(byte) number});
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(from)) {
            files = all.toList();
        }
        Files.createDirectories(to);
        for (Path file : files) {
            Files.copy(file, to.resolve(file.getFileName()));
        }
    }

    /** Tells whoever has sent a 0 all other numbers. */
    private static final class Teller implements StateMachine {
        private long listener;

        @Override
        public void onCommand(Request command, Output output) {
            byte number = command.payload()[0];
            if (number == 0) {
                listener = command.session();
            } else {
                output.event(listener, new byte[] {number});
            }
            output.reply(new byte[0]);
        }

        @Override
        public long stateHash() {
            return listener;
        }

        @Override
        public String name() {
            return "Teller";
        }
    }

    private static final class Listener implements ReplyHandler {
        final List<Integer> heard = new CopyOnWriteArrayList<>(new ArrayList<>());
        final AtomicInteger missed = new AtomicInteger();

        @Override
        public void onReply(long attachment, long sequence, MemorySegment memory, long offset, int length) {}

        @Override
        public void onFailure(long attachment, ServiceException failure) {}

        @Override
        public void onBusy(long attachment, long retryAfterNanos) {}

        @Override
        public void onEvent(long sequence, MemorySegment memory, long offset, int length) {
            heard.add((int) memory.get(ValueLayout.JAVA_BYTE, offset));
        }

        @Override
        public void onMissedOutputs() {
            missed.incrementAndGet();
        }
    }
}
