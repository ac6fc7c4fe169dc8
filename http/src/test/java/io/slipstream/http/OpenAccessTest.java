package io.slipstream.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.http.api.Api;
import io.slipstream.http.config.Bearer;
import io.slipstream.http.config.HttpConfig;
import io.slipstream.http.config.Upstream;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenAccessTest {
    private static final HttpConfig EVERYWHERE =
            HttpConfig.at(new InetSocketAddress("0.0.0.0", 0)).withLimits(BankSite.LIMITS);

    @TempDir
    Path folder;

    @Test
    void listensToOtherMachinesOnlyWithTokensOrWhenThatIsSaid() throws Exception {
        assertThatThrownBy(() -> BankSite.open(folder.resolve("a"), EVERYWHERE).close())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0.0.0.0:0 could send commands by HTTP")
                .hasMessageContaining("withTokens")
                .hasMessageContaining("withOpenAccess()");
        HttpConfig withTokens = EVERYWHERE.withTokens(Map.of("www", Bearer.writer("desk")));
        try (BankSite site = BankSite.open(folder.resolve("b"), withTokens)) {
            assertThat(status(site, "desk.example")).isEqualTo(401);
        }
    }

    @Test
    void answersWithoutTokensOnlyToAddressesAndToItsOwnNames() throws Exception {
        HttpConfig open = EVERYWHERE.withOpenAccess().withNames(Set.of("Ledger.example"));
        try (BankSite site = BankSite.open(folder, open)) {
            assertThat(status(site, "localhost")).isEqualTo(200);
            assertThat(status(site, "10.0.0.7:8080")).isEqualTo(200);
            assertThat(status(site, "[fd00::7]:8080")).isEqualTo(200);
            assertThat(status(site, "ledger.EXAMPLE:8080")).isEqualTo(200);
            assertThat(status(site, "evil.example")).isEqualTo(421);
            assertThat(status(site, "1.2.3.4.evil.example")).isEqualTo(421);
        }
    }

    @Test
    void isThereBeforeTheServiceAndSaysHowFarItIs() throws Exception {
        try (HttpGateway gateway = HttpGateway.listen(BankSite.config(), Api.of(Bank.CONTRACT), null)) {
            assertThat(get(gateway, "/health")).startsWith("HTTP/1.1 503").contains("the service is starting");
            gateway.replaying(3, 8);
            assertThat(get(gateway, "/health"))
                    .startsWith("HTTP/1.1 503")
                    .contains("the service replays its log: 3 of 8 entries", "\"replayed\":3,\"toReplay\":8");
            assertThat(get(gateway, "/metrics"))
                    .contains(
                            "slipstream_up 0.0\n",
                            "slipstream_replay_done_entries 3.0\n",
                            "slipstream_replay_entries 8.0\n");
            try (Service service =
                    Service.start(ServiceConfig.in(folder).withMaxResponseTime(Await.RESPONSE), new Bank())) {
                gateway.connect(Upstream.at(new InetSocketAddress("localhost", service.port())));
                Await.until("it is healthy", () -> get(gateway, "/health").startsWith("HTTP/1.1 200"));
                assertThat(get(gateway, "/metrics")).contains("slipstream_up 1.0\n");
            }
        }
    }

    @Test
    void saysWhyItCannotListen() throws Exception {
        Api api = Api.of(Bank.CONTRACT);
        try (HttpGateway first = HttpGateway.listen(BankSite.config(), api, null)) {
            HttpConfig taken = HttpConfig.onPort(first.port());
            assertThatThrownBy(() -> HttpGateway.listen(taken, api, null).close())
                    .isInstanceOf(IOException.class)
                    .hasMessage("cannot listen on " + taken.address().getHostString() + ":" + first.port()
                            + ": Address already in use");
        }
        HttpConfig elsewhere =
                HttpConfig.at(new InetSocketAddress("192.0.2.1", 0)).withOpenAccess();
        assertThatThrownBy(() -> HttpGateway.listen(elsewhere, api, null).close())
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("cannot listen on 192.0.2.1:0: Cannot assign requested address");
    }

    private static int status(BankSite site, String host) throws IOException {
        return Integer.parseInt(get(site.gateway, "/openapi.json", host).substring(9, 12));
    }

    private static String get(HttpGateway gateway, String path) {
        try {
            return get(gateway, path, "localhost");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String get(HttpGateway gateway, String path, String host) throws IOException {
        try (Socket socket = new Socket("localhost", gateway.port())) {
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
