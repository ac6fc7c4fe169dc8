package io.slipstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.exchange.service.ExchangeStateMachine;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.keyvalue.KeyValueStore;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.ServiceEvents;
import io.slipstream.service.security.AccessFile;
import io.slipstream.service.security.Tls;
import io.slipstream.testkit.Await;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code slipstream load exchange} against an exchange that asks who its clients are and speaks TLS. */
class SecuredLoadTest {
    private static final String PASSWORD = "changeit";

    @TempDir
    Path folder;

    private Path certificate;
    private Path key;
    private Path token;
    private Path access;

    @BeforeEach
    void writeWhoGetsIn() throws Exception {
        Path store = folder.resolve("server.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "server",
                        "-dname",
                        "CN=server",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-ext",
                        "bc:c",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        assertThat(new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .doesNotContain("rror");
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        certificate = pem("CERTIFICATE", keys.getCertificate("server").getEncoded());
        key = pem("PRIVATE KEY", keys.getKey("server", PASSWORD.toCharArray()).getEncoded());
        token = Files.writeString(folder.resolve("token"), "a secret\n");
        String hash = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest("a secret".getBytes(StandardCharsets.UTF_8)));
        access = Files.writeString(folder.resolve("access"), "trader token " + hash + " may command query\n");
    }

    private Path pem(String what, byte[] bytes) throws Exception {
        return Files.writeString(
                folder.resolve(what + ".pem"),
                "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + what
                        + "-----\n");
    }

    @Test
    void getsInWithItsTokenAndNobodyElseDoes() throws Exception {
        ServiceConfig config = ServiceConfig.in(folder.resolve("exchange"))
                .withMaxResponseTime(Await.RESPONSE)
                .withEvents(ServiceEvents.ignored())
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20))
                .withTls(Tls.server(certificate, key))
                .withAuthenticator(new AccessFile(access));
        try (Service service = Service.start(config, new ExchangeStateMachine(16, 10_000))) {
            String port = String.valueOf(service.port());
            assertThat(load(port, "--tls", certificate.toString(), "--token", token.toString()))
                    .startsWith("0: ")
                    .contains("0 failed, 0 without answer");
            assertThat(load(port, "--tls", certificate.toString()))
                    .startsWith("1: slipstream: ")
                    .contains("token");
            assertThat(load(port, "--token", token.toString()))
                    .startsWith("1: slipstream: ")
                    .contains("TLS");
            Files.writeString(token, "another secret\n");
            assertThat(load(port, "--tls", certificate.toString(), "--token", token.toString()))
                    .startsWith("1: slipstream: ")
                    .contains("token")
                    .doesNotContain("another secret");
            assertThat(load(port, "--tls-certificate", certificate.toString())).contains("go together");
            assertThat(load(port, "--token", Files.writeString(token, "\n").toString()))
                    .contains("has no token");
            assertThat(load(port, "--tls", folder.resolve("none.pem").toString()))
                    .contains("none.pem");
        }
    }

    @Test
    void bringsTheDataOfARedisIntoAStoreThatWantsAToken() throws Exception {
        RespProtocol resp = new RespProtocol();
        ServiceConfig config = ServiceConfig.in(folder.resolve("keys"))
                .withMaxResponseTime(Await.RESPONSE)
                .withEvents(ServiceEvents.ignored())
                .withProtocol(resp, new InetSocketAddress("127.0.0.1", 0))
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20))
                .withTls(Tls.server(certificate, key))
                .withAuthenticator(new AccessFile(access));
        Path aof = Files.writeString(folder.resolve("a.aof"), "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n");
        try (Service service = Service.start(config, KeyValueStore::new)) {
            String[] plain = {"import-aof", aof.toString(), "--port", String.valueOf(service.port(resp))};
            assertThat(run(plain, "--tls", certificate.toString()))
                    .startsWith("1: slipstream: ")
                    .contains("NOAUTH")
                    .contains("--token");
            assertThat(run(plain, "--token", token.toString())).startsWith("1: slipstream: ");
            assertThat(run(plain, "--tls", certificate.toString(), "--token", token.toString()))
                    .startsWith("0: ")
                    .contains("1 commands were applied, and 0 refused");
            assertThat(run(plain, "--tls", certificate.toString(), "--token", token.toString()))
                    .startsWith("1: ")
                    .contains("has 1 keys already");
        }
    }

    private static String run(String[] command, String... options) {
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(List.of(options));
        return run(all);
    }

    private static String load(String port, String... options) {
        List<String> command = new ArrayList<>(
                List.of("load", "exchange", "--port", port, "--rate", "200", "--seconds", "0.2", "--connections", "1"));
        command.addAll(List.of(options));
        return run(command);
    }

    private static String run(List<String> command) {
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said);
        int code = Main.commandLine().setOut(out).setErr(out).execute(command.toArray(String[]::new));
        return code + ": " + said;
    }
}
