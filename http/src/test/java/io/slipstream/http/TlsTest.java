package io.slipstream.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.http.api.Api;
import io.slipstream.http.config.HttpConfig;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.security.Tls;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.Certificates;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
    private static final Duration LIMIT = Duration.ofMillis(250);

    @TempDir
    Path folder;

    @Test
    void speaksHttp2AndHttp1ByTlsAndNothingToAPlainClient() throws Exception {
        Certificates certificates = new Certificates(folder);
        Path certificate = certificates.selfSigned("gateway");
        HttpConfig config = BankSite.config().withTls(Tls.server(certificate, certificates.key("gateway")));
        try (Service service = Service.start(
                        ServiceConfig.in(folder.resolve("bank")).withMaxResponseTime(Await.RESPONSE), new Bank());
                HttpGateway gateway = HttpGateway.start(
                        config, Api.of(Bank.CONTRACT), new InetSocketAddress("localhost", service.port()))) {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("https://localhost:" + gateway.port() + "/openapi.json"))
                    .build();
            for (HttpClient.Version version : HttpClient.Version.values()) {
                if (version.name().equals("HTTP_3")) {
                    continue;
                }
                try (HttpClient client = HttpClient.newBuilder()
                        .version(version)
                        .sslContext(trusting(certificate))
                        .build()) {
                    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
                    assertThat(answer.version()).isEqualTo(version);
                    assertThat(answer.body()).startsWith("{\"openapi\":\"3.1.0\"");
                }
            }
            try (Socket plain = new Socket("localhost", gateway.port())) {
                plain.getOutputStream()
                        .write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(new String(plain.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                        .doesNotContain("openapi");
            }
        }
    }

    @Test
    void keepsAConnectionInSteadyUseAndCutsOneWhoseRequestComesByteByByte() throws Exception {
        Certificates certificates = new Certificates(folder);
        Path certificate = certificates.selfSigned("gateway");
        HttpConfig config = BankSite.config()
                .withTls(Tls.server(certificate, certificates.key("gateway")))
                .withLimits(BankSite.LIMITS.withTimes(Await.PATIENCE, LIMIT, Await.PATIENCE));
        try (Service service = Service.start(
                        ServiceConfig.in(folder.resolve("bank")).withMaxResponseTime(Await.RESPONSE), new Bank());
                HttpGateway gateway = HttpGateway.start(
                        config, Api.of(Bank.CONTRACT), new InetSocketAddress("localhost", service.port()));
                Socket socket = connected(trusting(certificate), gateway.port())) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = socket.getOutputStream();
            long begin = System.nanoTime();
            do {
                out.write("HEAD /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(in.readLine()).isEqualTo("HTTP/1.1 200 OK");
                while (!in.readLine().isEmpty()) {
                    // The rest of the header.
                }
            } while (System.nanoTime() - begin < LIMIT.multipliedBy(8).toNanos());
            out.write("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nX: ".getBytes(StandardCharsets.US_ASCII));
            assertThat(HostileTest.drip(socket, out)).isTrue();
        }
    }

    @Test
    void keepsAConnectionOfHttp2InSteadyUse() throws Exception {
        Certificates certificates = new Certificates(folder);
        Path certificate = certificates.selfSigned("gateway");
        HttpConfig config = BankSite.config()
                .withTls(Tls.server(certificate, certificates.key("gateway")))
                .withLimits(BankSite.LIMITS.withTimes(Await.PATIENCE, LIMIT, Await.PATIENCE));
        try (Service service = Service.start(
                        ServiceConfig.in(folder.resolve("bank")).withMaxResponseTime(Await.RESPONSE), new Bank());
                HttpGateway gateway = HttpGateway.start(
                        config, Api.of(Bank.CONTRACT), new InetSocketAddress("localhost", service.port()));
                HttpClient client = HttpClient.newBuilder()
                        .sslContext(trusting(certificate))
                        .build()) {
            // A POST that was cut off is not sent again by this client.
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("https://localhost:" + gateway.port() + "/commands/Deposit"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(BankSite.deposit(7, 1)))
                    .build();
            Await.until("hands are shaken within the limit", () -> isAnswered(client, request));
            long begin = System.nanoTime();
            do {
                HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
            } while (System.nanoTime() - begin < LIMIT.multipliedBy(8).toNanos());
        }
    }

    @Test
    void takesANewCertificateWithoutARestart() throws Exception {
        Certificates certificates = new Certificates(folder);
        Path certificate = certificates.selfSigned("gateway");
        Path key = certificates.key("gateway");
        SSLContext trustsTheOldOne = trusting(certificate);
        Path renewed = certificates.selfSigned("renewed");
        SSLContext trustsTheNewOne = trusting(renewed);
        HttpConfig config = BankSite.config().withTls(Tls.server(certificate, key));
        try (HttpGateway gateway = HttpGateway.listen(config, Api.of(Bank.CONTRACT), null)) {
            connected(trustsTheOldOne, gateway.port()).close();
            replace(certificate, renewed);
            replace(key, certificates.key("renewed"));
            connected(trustsTheNewOne, gateway.port()).close();
            assertThatThrownBy(() -> handShaken(trustsTheOldOne, gateway.port()))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void namesTheFileThatIsNotThereOrIsNone() throws Exception {
        Certificates certificates = new Certificates(folder);
        Path certificate = certificates.selfSigned("gateway");
        Path key = certificates.key("gateway");
        Path none = folder.resolve("none.pem");
        assertThatThrownBy(() -> listen(Tls.server(none, key)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(none.toString());
        assertThatThrownBy(() -> listen(Tls.server(certificate, certificate)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(certificate.toString());
    }

    @Test
    void refusesTlsThatItCouldNotHonour() {
        Path any = folder.resolve("any.pem");
        assertThatThrownBy(() -> BankSite.config().withTls(Tls.client(any)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a gateway takes Tls.server(certificate, key)");
        assertThatThrownBy(() -> BankSite.config().withTls(Tls.server(any, any).withClientCertificates(any)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("knows clients by their tokens, not by certificates");
    }

    private static void listen(Tls tls) throws IOException {
        HttpGateway.listen(BankSite.config().withTls(tls), Api.of(Bank.CONTRACT), null)
                .close();
    }

    /** The file changes at once, and its time does, too, however coarse the clock of the file system is. */
    private static void replace(Path file, Path by) throws IOException {
        FileTime before = Files.getLastModifiedTime(file);
        Path next = Files.copy(by, file.resolveSibling("next"));
        Files.setLastModifiedTime(next, FileTime.fromMillis(before.toMillis() + 2_000));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Whoever gets no processor while it shakes hands is cut, too. */
    private static SSLSocket connected(SSLContext trusting, int port) throws Exception {
        return Await.value(
                "hands are shaken within the limit",
                () -> {
                    try {
                        return handShaken(trusting, port);
                    } catch (IOException e) {
                        return null;
                    }
                },
                Objects::nonNull);
    }

    private static SSLSocket handShaken(SSLContext trusting, int port) throws IOException {
        SSLSocket socket = (SSLSocket) trusting.getSocketFactory().createSocket("localhost", port);
        try {
            socket.startHandshake();
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static boolean isAnswered(HttpClient client, HttpRequest request) throws InterruptedException {
        try {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private static SSLContext trusting(Path certificate) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (InputStream pem = Files.newInputStream(certificate)) {
            trusted.setCertificateEntry(
                    "gateway", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
