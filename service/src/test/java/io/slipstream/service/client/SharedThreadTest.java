package io.slipstream.service.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.EchoMachine;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.TestClients;
import io.slipstream.service.security.Tls;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.Certificates;
import java.lang.foreign.MemorySegment;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many clients on one thread. */
class SharedThreadTest {
    private static final int CLIENTS = 20;
    private static final String NAME = "shared-by-clients";

    @TempDir
    private Path folder;

    private Service service;
    private ClientThread thread;

    @BeforeEach
    void start() throws Exception {
        Path door = folder.resolve("door");
        service = Service.start(
                ServiceConfig.in(folder.resolve("service"))
                        .withMaxResponseTime(Await.RESPONSE)
                        .withSharedMemory(door)
                        .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 18)),
                new EchoMachine());
        thread = ClientThread.builder(NAME).start();
    }

    @AfterEach
    void stop() {
        thread.close();
        service.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachHasASessionOfItsOwnAndAllHaveOneThread(boolean throughMemory) throws Exception {
        List<ServiceClient> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add((throughMemory && i % 2 == 0 ? byDoor() : byPort())
                    .session(i + 1)
                    .connect());
        }
        List<CompletableFuture<Reply>> answers = new ArrayList<>();
        for (int number = 1; number <= 100; number++) {
            for (int i = 0; i < CLIENTS; i++) {
                answers.add(clients.get(i).send(number, bytes(number * CLIENTS + i)));
            }
        }
        for (int i = 0; i < answers.size(); i++) {
            assertThat(Await.done(answers.get(i)).payload()).isEqualTo(bytes(CLIENTS + i));
        }
        assertThat(clients.stream().map(ServiceClient::session).distinct()).hasSize(CLIENTS);
        assertThat(Thread.getAllStackTraces().keySet().stream()
                        .map(Thread::getName)
                        .filter(name -> name.equals(NAME) || name.equals("slipstream-client")))
                .containsExactly(NAME);
        clients.forEach(ServiceClient::close);
        assertThat(clients).noneMatch(ServiceClient::isOpen);
    }

    /** One that listens, and never says anything. */
    @Test
    void noneWaitsForOneThatIsNotAnswered() throws Exception {
        Certificates certificates = new Certificates(folder);
        Tls tls = Tls.client(certificates.selfSigned("nobody"));
        try (ServerSocket silent = new ServerSocket(0);
                ServiceClient unheard = TestClients.builder(silent.getLocalPort())
                        .thread(thread)
                        .tls(tls)
                        .begin();
                ServiceClient client = byPort().connect()) {
            assertThat(client.call(bytes(7)).payload()).isEqualTo(bytes(7));
            assertThat(unheard.wasConnected()).isFalse();
            assertThat(unheard.isOpen()).isTrue();
        }
    }

    @Test
    void anErrorInAHandlerEndsThatClientAlone() throws Exception {
        try (ServiceClient broken = byPort().connect();
                ServiceClient client = byPort().connect()) {
            broken.subscribe(1, new FeedHandler() {
                @Override
                public void onLive() {
                    throw new LinkageError("made up");
                }

                @Override
                public void onItem(long sequence, int index, MemorySegment memory, long offset, int length) {}
            });
            Await.until("the client has ended", () -> !broken.isOpen());
            assertThatThrownBy(() -> broken.call(new byte[8])).hasMessageContaining("LinkageError: made up");
            assertThat(client.call(bytes(7)).payload()).isEqualTo(bytes(7));
        }
    }

    /** In the thread's turn, where nothing may wait. */
    @Test
    void oneCanSendForAnotherAndEndIt() throws Exception {
        try (ServiceClient one = byPort().connect();
                ServiceClient two = byPort().connect();
                ServiceClient three = byPort().connect()) {
            CompletableFuture<Reply> both = one.send(bytes(1))
                    .thenCompose(ignored -> two.send(bytes(2)))
                    .whenComplete((_, _) -> two.disconnect());
            assertThat(Await.done(both).payload()).isEqualTo(bytes(2));
            Await.until("it has ended", () -> !two.isOpen());
            CompletableFuture<String> refusal = new CompletableFuture<>();
            thread.execute(() -> {
                try {
                    three.call(bytes(3));
                } catch (IllegalStateException e) {
                    refusal.complete(e.getMessage());
                }
            });
            assertThat(Await.done(refusal)).contains("the client's own thread cannot wait");
            assertThat(three.call(bytes(3)).payload()).isEqualTo(bytes(3));
        }
    }

    @Test
    void takesMoreThanTheWindowFromItsOwnThread() throws Exception {
        int count = 1_000;
        try (ServiceClient client = byPort().windowBytes(4096).connect()) {
            List<CompletableFuture<Reply>> answers = new ArrayList<>();
            thread.execute(() -> {
                for (int i = 0; i < count; i++) {
                    answers.add(client.send(bytes(i)));
                }
            });
            Await.until("all were taken", () -> answers.size() == count);
            for (int i = 0; i < count; i++) {
                assertThat(Await.done(answers.get(i)).payload()).isEqualTo(bytes(i));
            }
        }
    }

    @Test
    void endsItsClientsAndTakesNoOthers() throws Exception {
        try (ServiceClient client = byPort().connect()) {
            thread.close();
            assertThat(client.isOpen()).isFalse();
            assertThatThrownBy(() -> client.call(bytes(1))).hasMessageContaining("closed");
        }
        assertThatThrownBy(() -> byPort().begin())
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("the thread of clients was closed");
        assertThatThrownBy(() -> thread.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void refusesAClientThatSaysHowItsOwnThreadWouldBe() {
        assertThatThrownBy(() -> byPort().daemon().begin())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("set waiting, daemon and machine where the thread is built");
    }

    private ServiceClient.Builder byPort() {
        return TestClients.builder(service.port()).thread(thread);
    }

    private ServiceClient.Builder byDoor() {
        return TestClients.builder(folder.resolve("door")).thread(thread);
    }

    private static byte[] bytes(int value) {
        return ByteBuffer.allocate(16).putInt(value).array();
    }
}
