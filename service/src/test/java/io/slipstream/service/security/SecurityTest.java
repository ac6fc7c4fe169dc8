package io.slipstream.service.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.ServiceEvents;
import io.slipstream.service.TestClients;
import io.slipstream.service.client.BusyException;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.Certificates;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without the right token or certificate nobody gets a command in, and those who have it go on. */
class SecurityTest {
    /** For a client that tries in vain until it gives up, where the other side only ends its connections. */
    private static final Duration BRIEF = Duration.ofSeconds(1);

    @TempDir
    static Path certificates;

    @TempDir
    Path directory;

    private static Certificates made;
    private final List<String> audit = new CopyOnWriteArrayList<>();
    private final Principals machine = new Principals();
    private Service service;
    private ServiceClient witness;

    @BeforeAll
    static void makeCertificates() throws Exception {
        made = new Certificates(certificates);
        made.authority("root");
        made.authority("stranger");
        made.signed("server", "root", 1, 30);
        made.signed("server2", "root", 1, 30);
        made.signed("ticker", "root", 1, 30);
        made.signed("late", "root", 9, 3);
        made.signed("other", "stranger", 1, 30);
    }

    /** A service with TLS and a list of clients, and one who is served throughout. */
    @BeforeEach
    void start() throws Exception {
        Files.copy(pem("server"), directory.resolve("server.pem"));
        Files.copy(made.key("server"), directory.resolve("server.key"));
        Path access = Files.writeString(directory.resolve("access"), """
            # who   shows
            alice   token %s
            bob     token %s   may query
            eve     token %s   until 2020-01-01T00:00:00Z
            slow    token %s   rate 1
            ticker  certificate CN=ticker
            late    certificate CN=late
            """.formatted(
                        AccessFile.hash("of alice"),
                        AccessFile.hash("of bob"),
                        AccessFile.hash("of eve"),
                        AccessFile.hash("of slow")));
        service = Service.start(
                config(access)
                        .withTls(Tls.server(directory.resolve("server.pem"), directory.resolve("server.key"))
                                .withClientCertificates(pem("root"))),
                machine);
        witness = client("of alice").connect();
        assertThat(text(witness.call(new byte[0]).payload())).isEqualTo("alice");
    }

    @AfterEach
    void theWitnessIsServedAsBefore() throws Exception {
        assertThat(text(witness.call(new byte[0]).payload())).isEqualTo("alice");
        witness.close();
        service.close();
        assertThat(service.ended().isCompletedExceptionally()).isFalse();
        Principals again = new Principals();
        Service.replay(ServiceConfig.in(directory.resolve("log")).withMaxResponseTime(Await.RESPONSE), again);
        assertThat(again.seen).isEqualTo(machine.seen);
    }

    @Test
    void refusesNoTokenAWrongOneAndAnExpiredOne() {
        for (ServiceClient.Builder builder : List.of(client(""), client("wrong"), client("of eve"))) {
            assertThatThrownBy(builder::connect).hasMessageContaining("token or a certificate");
        }
        assertThat(audit)
                .anyMatch(line -> line.contains("neither a token"))
                .anyMatch(line -> line.contains("nobody"))
                .anyMatch(line -> line.contains("expired"))
                .noneMatch(line -> line.contains("of eve\""));
        assertThat(machine.seen).containsOnly("alice");
    }

    @Test
    void letsACertificateInAndTheMachineSeesWhose() throws Exception {
        try (ServiceClient ticker = client("", "ticker").connect()) {
            assertThat(text(ticker.call(new byte[0]).payload())).isEqualTo("ticker");
        }
        assertThat(audit).contains("login ticker");
    }

    @Test
    void refusesCertificatesOfSomebodyElse() {
        assertThatThrownBy(() -> client("", "other").connectTimeout(BRIEF).connect())
                .isInstanceOf(IOException.class);
        assertThat(machine.seen).containsOnly("alice");
    }

    @Test
    void aClientThatHasAnExpiredCertificateDoesNotTryAgainUntilItsTimeout() {
        CompletableFuture<Void> connected = Await.inBackground(
                "connect",
                () -> client("", "late").connectTimeout(Duration.ofDays(1)).connect());
        assertThatThrownBy(() -> Await.done(connected))
                .hasMessageContaining("no TLS with")
                .hasMessageContaining("late.pem is not valid now");
        assertThat(machine.seen).containsOnly("alice");
    }

    /** An authority of the same name makes the client show a certificate that the service then refuses. */
    @Test
    void aClientWhoseCertificateTheServiceRefusesDoesNotTryAgainUntilItsTimeout() throws Exception {
        Certificates forged = new Certificates(Files.createDirectory(directory.resolve("forged")));
        forged.authority("root");
        Path certificate = forged.signed("ticker", "root", 1, 30);
        Tls tls = Tls.client(pem("root")).withCertificate(certificate, forged.key("ticker"));
        CompletableFuture<Void> connected = Await.inBackground(
                "connect",
                () -> client("").tls(tls).connectTimeout(Duration.ofDays(1)).connect());
        assertThatThrownBy(() -> Await.done(connected))
                .hasMessageContaining("no TLS with")
                .hasMessageContaining("the service does not accept the certificate of this client");
        assertThat(machine.seen).containsOnly("alice");
    }

    @Test
    void anExpiredCertificateIsRefusedByAnAlertAlsoIfItIsTrustedItself() throws Exception {
        Certificates old = new Certificates(Files.createDirectory(directory.resolve("old")));
        Path expired = old.selfSigned("old", 9, 3);
        SSLContext shows = SSLContext.getInstance("TLSv1.3");
        KeyStore store = KeyStore.getInstance(old.store().toFile(), Certificates.PASSWORD.toCharArray());
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, Certificates.PASSWORD.toCharArray());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(
                "root",
                KeyStore.getInstance(made.store().toFile(), Certificates.PASSWORD.toCharArray())
                        .getCertificate("root"));
        trust.init(trusted);
        shows.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        ServiceConfig config = ServiceConfig.in(directory.resolve("dated"))
                .withMaxResponseTime(Await.RESPONSE)
                .withTls(Tls.server(pem("server"), made.key("server")).withClientCertificates(expired));
        try (Service dated = Service.start(config, new Principals())) {
            AtomicReference<IOException> refusal = new AtomicReference<>();
            Await.until("the client has read the alert", () -> {
                refusal.set(refusal(shows, dated.port()));
                // The JDK's client reads no alert if it still writes when the service closes the connection.
                return refusal.get() instanceof SSLException;
            });
            assertThat(refusal.get()).hasMessageContaining("certificate");
        }
    }

    private static IOException refusal(SSLContext client, int port) throws IOException {
        try (SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("127.0.0.1", port)) {
            return catchThrowableOfType(IOException.class, () -> {
                socket.startHandshake();
                socket.getInputStream().read();
            });
        }
    }

    @Test
    void aClientDoesNotTrustAServiceThatASrangerHasSigned() {
        assertThatThrownBy(() -> TestClients.builder(service.port())
                        .token("of alice")
                        .tls(Tls.client(pem("stranger")))
                        .connect())
                .hasMessageContaining("no TLS");
    }

    @Test
    void tellsAClientThatSpeaksNoTlsThatItMust() {
        assertThatThrownBy(() ->
                        TestClients.builder(service.port()).token("of alice").connect())
                .hasMessageContaining("speaks TLS alone");
    }

    @Test
    void tellsAClientThatSpeaksTlsToAPlainPort() throws Exception {
        try (Service plain = Service.start(
                ServiceConfig.in(directory.resolve("plain")).withMaxResponseTime(Await.RESPONSE), new Principals())) {
            assertThatThrownBy(() -> TestClients.builder(plain.port())
                            .tls(Tls.client(pem("root")))
                            .connectTimeout(BRIEF)
                            .connect())
                    .isInstanceOf(IOException.class);
            try (ServiceClient client = TestClients.connect(plain.port())) {
                assertThat(text(client.call(new byte[0]).payload())).isEmpty();
            }
        }
    }

    @Test
    void survivesRubbishThatBeginsAsTls() throws Exception {
        for (int i = 0; i < 50; i++) {
            try (Socket socket = new Socket("127.0.0.1", service.port())) {
                byte[] bytes = new byte[200];
                bytes[0] = 22;
                bytes[1] = 3;
                bytes[2] = 1;
                bytes[4] = (byte) i;
                socket.getOutputStream().write(bytes, 0, 5 + 3 * i);
            }
        }
    }

    @Test
    void refusesCommandsToOneWhoMayOnlyAsk() throws Exception {
        try (ServiceClient bob = client("of bob").connect()) {
            assertThatThrownBy(() -> bob.call(new byte[0]))
                    .isInstanceOfSatisfying(
                            ServiceException.class, e -> assertThat(e.code()).isEqualTo(FailureCode.FORBIDDEN));
            assertThat(text(bob.query(new byte[0]).payload())).isEqualTo("bob");
        }
        assertThat(audit).contains("forbidden bob");
        assertThat(machine.seen).containsOnly("alice");
    }

    @Test
    void refusesMoreThanAClientMaySend() throws Exception {
        try (ServiceClient slow = client("of slow").connect()) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1000; i++) {
                            slow.call(new byte[0]);
                        }
                    })
                    .isInstanceOf(BusyException.class)
                    .hasMessageContaining("more than it may");
        }
    }

    @Test
    void aChangedRateHoldsForAPrincipalThatWasThereBefore() throws Exception {
        assertThat(takesAll("of slow", 20)).isFalse();
        Path access = directory.resolve("access");
        Files.writeString(access, Files.readString(access).replace("rate 1\n", "rate 1000000\n"));
        Await.until("the new rate", () -> takesAll("of slow", 20));
    }

    private boolean takesAll(String token, int commands) throws IOException {
        try (ServiceClient client = client(token).connect()) {
            for (int i = 0; i < commands; i++) {
                client.call(new byte[0]);
            }
            return true;
        } catch (BusyException e) {
            return false;
        }
    }

    @Test
    void keepsTheOldCertificateUntilTheNewOneHasItsKeyAndTakesItWithoutARestart() throws Exception {
        Files.copy(pem("server2"), directory.resolve("server.pem"), StandardCopyOption.REPLACE_EXISTING);
        // Longer than the service takes to see the change.
        long end = System.nanoTime() + 1_000_000_000;
        while (System.nanoTime() - end < 0) {
            assertThat(subjectOfService()).isEqualTo("CN=server");
        }
        Files.copy(made.key("server2"), directory.resolve("server.key"), StandardCopyOption.REPLACE_EXISTING);
        Await.until("the new certificate", () -> subjectOfService().equals("CN=server2"));
    }

    private String subjectOfService() throws Exception {
        try (SSLSocket socket =
                (SSLSocket) trustingAll().getSocketFactory().createSocket("127.0.0.1", service.port())) {
            socket.startHandshake();
            return socket.getSession().getPeerPrincipal().getName();
        }
    }

    @Test
    void doesNotListenToTheNetworkUnlessThatIsSaid() {
        ServiceConfig open = ServiceConfig.in(directory.resolve("open"))
                .withMaxResponseTime(Await.RESPONSE)
                .withAddress(new InetSocketAddress("0.0.0.0", 0));
        assertThatThrownBy(() -> Service.start(open, new Principals())).hasMessageContaining("withOpenAccess");
        assertThatThrownBy(() -> Service.start(open.withAuthenticator(_ -> Identity.ANYBODY), new Principals()))
                .hasMessageContaining("withTls");
        assertThat(directory.resolve("open")).doesNotExist();
    }

    private static SSLContext trustingAll() throws Exception {
        return PemFiles.context(null, null, pem("root"));
    }

    private ServiceConfig config(Path access) throws IOException {
        return ServiceConfig.in(directory.resolve("log"))
                .withMaxResponseTime(Await.RESPONSE)
                .withAuthenticator(new AccessFile(access))
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20))
                .withEvents(new ServiceEvents() {
                    @Override
                    public void onLogin(String principal, String remote) {
                        audit.add("login " + principal);
                    }

                    @Override
                    public void onLoginRefused(String remote, String reason) {
                        audit.add("refused " + reason);
                    }

                    @Override
                    public void onForbidden(String principal, String remote, String request) {
                        audit.add("forbidden " + principal);
                    }
                });
    }

    private ServiceClient.Builder client(String token) {
        return TestClients.builder(service.port()).token(token).tls(Tls.client(pem("root")));
    }

    private ServiceClient.Builder client(String token, String certificate) {
        return client(token).tls(Tls.client(pem("root")).withCertificate(pem(certificate), made.key(certificate)));
    }

    private static Path pem(String name) {
        return certificates.resolve(name + ".pem");
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Answers everybody with who they are. */
    private static final class Principals implements StateMachine {
        private final List<String> seen = new CopyOnWriteArrayList<>();

        @Override
        public void onCommand(Request command, Output output) {
            seen.add(command.principal());
            output.reply(command.principal().getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void onQuery(Request query, Output output) {
            output.reply(query.principal().getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public long stateHash() {
            return seen.hashCode();
        }
    }
}
