package io.slipstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.http.api.Api;
import io.slipstream.http.config.Upstream;
import io.slipstream.ipc.IpcChannel;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.ServiceEvents;
import io.slipstream.service.security.AccessFile;
import io.slipstream.testkit.Await;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway that reaches the service of its own process through shared memory. */
class SharedMemoryTest {
    private static final String SECRET = "a-long-secret";

    @TempDir
    Path folder;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void answersAsOverTcp() throws Exception {
        Path door = IpcChannel.named("http-door-" + ProcessHandle.current().pid());
        Path access = Files.writeString(folder.resolve("access"), "desk token " + AccessFile.hash(SECRET) + "\n");
        Set<String> remotes = ConcurrentHashMap.newKeySet();
        ServiceConfig config = ServiceConfig.in(folder.resolve("data"))
                .withMaxResponseTime(Await.RESPONSE)
                .withAuthenticator(new AccessFile(access))
                .withEvents(new ServiceEvents() {
                    @Override
                    public void onLogin(String principal, String remote) {
                        remotes.add(remote);
                    }
                })
                .withSharedMemory(door);
        try (Service service = Service.start(config, new Bank(new CountDownLatch(0)));
                HttpGateway gateway = HttpGateway.start(
                        BankSite.config(),
                        Api.of(Bank.CONTRACT),
                        Upstream.at(new InetSocketAddress("localhost", service.port()))
                                .withToken(SECRET)
                                .withDoor(door))) {
            assertThat(post(gateway, "Deposit", "").body()).contains("\"amount\":100");
            assertThat(post(gateway, "Deposit", "desk-7/1").body()).contains("\"amount\":200");
            assertThat(post(gateway, "Deposit", "desk-7/1").body()).contains("\"amount\":200");
            assertThat(remotes).hasSize(2).contains("shared memory");
        }
    }

    private HttpResponse<String> post(HttpGateway gateway, String command, String key) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + gateway.port() + "/commands/" + command))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(BankSite.deposit(7, 100)));
        return client.send(
                key.isEmpty()
                        ? request.build()
                        : request.header("Idempotency-Key", key).build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
