package io.slipstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.Await;
import java.io.DataInputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which version of HTTP a client gets without TLS; {@link TlsTest} sees to the rest. */
class HttpVersionTest {
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final byte[] NO_SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    private static final int SETTINGS = 4;

    @TempDir
    Path folder;

    /** After an upgrade, Java's client loses the answer now and then, and waits for ever. */
    @Test
    void aClientThatOffersToUpgradeIsAnsweredByTheVersionThatItSpeaks() throws Exception {
        try (BankSite site = BankSite.open(folder);
                HttpClient client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_2)
                        .build()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create("http://localhost:" + site.gateway.port() + "/openapi.json"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
            assertThat(answer.body()).contains("\"openapi\"");
        }
    }

    @Test
    void aClientThatBeginsWithHttp2GetsIt() throws Exception {
        try (BankSite site = BankSite.open(folder);
                Socket socket = new Socket("localhost", site.gateway.port())) {
            socket.setSoTimeout((int) Await.PATIENCE.toMillis());
            socket.getOutputStream().write(PREFACE.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(NO_SETTINGS);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            in.skipNBytes(3);
            assertThat(in.readByte()).isEqualTo((byte) SETTINGS);
        }
    }
}
