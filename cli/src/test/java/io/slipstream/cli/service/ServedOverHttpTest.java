package io.slipstream.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cli.Main;
import io.slipstream.ipc.IpcChannel;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.Certificates;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServedOverHttpTest {
    private static final Pattern ADDRESS = Pattern.compile("Dashboard on (https?://localhost:\\d+)/ .*");
    private static final Path OPERATIONS = Path.of("..", "examples", "operations");
    private static final String DASHBOARD = "grafana-dashboard.json";

    @TempDir
    private Path folder;

    @Test
    void aLedgerThatIsConfiguredByAFileTakesCommandsAsJsonAndEndsInOrder() throws Exception {
        Process server = serve("ledger");
        try {
            String site = address(server);
            assertThat(post(site + "/commands/OpenAccount", "{\"account\":1,\"mayOverdraw\":true}"))
                    .contains("\"account\":1");
            assertThat(get(site + "/ready")).contains("\"ready\":true");
            assertThat(get(site + "/metrics")).contains("slipstream_up 1.0\n", "owner=\"input ring\"");
            server.destroy();
            assertThat(server.waitFor()).isZero();
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    @Test
    void theGatewayOfAServiceWithADoorInSharedMemoryComesThatWay() throws Exception {
        String name = "door-of-" + ProcessHandle.current().pid();
        Process server = serve("ledger", "ipc = \"" + name + "\"\n");
        try {
            String site = address(server);
            get(site + "/ready");
            assertThat(post(site + "/commands/OpenAccount", "{\"account\":1,\"mayOverdraw\":true}"))
                    .contains("\"account\":1");
            try (Stream<Path> files = Files.list(IpcChannel.folder())) {
                assertThat(files.map(file -> file.getFileName().toString()))
                        .anyMatch(file -> file.startsWith(name + ".") && file.endsWith(".commands.ipc"));
            }
            server.destroy();
            assertThat(server.waitFor()).isZero();
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    @Test
    void alertsAndTheDashboardOfGrafanaAskForNothingThatAServiceDoesNotHave() throws Exception {
        Process server = serve("ledger");
        try {
            String site = address(server);
            get(site + "/ready");
            post(site + "/commands/OpenAccount", "{\"account\":1,\"mayOverdraw\":true}");
            String metrics = get(site + "/metrics");
            String asked = Files.readString(OPERATIONS.resolve("alerts.yml"))
                    + Files.readString(OPERATIONS.resolve(DASHBOARD));
            assertThat(found("\\b(?:slipstream|jvm|process)_\\w+", asked))
                    .hasSizeGreaterThan(10)
                    .isSubsetOf(found("(?m)^\\w+", metrics));
            assertThat(asked).as("probes are no commands").contains("slipstream_probe_seconds_count");
            assertThat(found("(?<=label=~?\\\\?\")[^\"\\\\]+", asked))
                    .hasSizeGreaterThan(5)
                    .allMatch(label -> Pattern.compile("label=\"" + label + "\"")
                            .matcher(metrics)
                            .find());
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    @Test
    void theRunbookHasASectionForEachAlert() throws IOException {
        String runbook = Files.readString(OPERATIONS.resolve("RUNBOOK.md"));
        assertThat(found("(?<=- alert: )\\w+", Files.readString(OPERATIONS.resolve("alerts.yml"))))
                .hasSizeGreaterThan(5)
                .allMatch(alert -> runbook.contains("\n## " + alert + "\n"));
    }

    private static Set<String> found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void anExchangeTakesOrdersAsJsonAndShowsItsBook() throws Exception {
        Process server = serve("exchange");
        try {
            String site = address(server);
            assertThat(get(site + "/book.html")).contains("<title>Order book");
            assertThat(get(site + "/book.js")).contains("/queries/DepthOf");
            String sell = "{\"instrument\":1,\"orderId\":1,\"side\":\"SELL\",\"type\":\"LIMIT\",\"price\":105,"
                    + "\"quantity\":5}";
            assertThat(post(site + "/commands/Place", sell)).contains("\"status\":\"RESTING\"");
            assertThat(post(site + "/commands/Place", sell)).contains("\"status\":409", "DUPLICATE_ORDER_ID");
            assertThat(post(
                            site + "/commands/Place",
                            sell.replace("SELL", "BUY")
                                    .replace(":1,\"side", ":2,\"side")
                                    .replace(":5}", ":3}")))
                    .contains("\"status\":\"FILLED\"");
            assertThat(post(site + "/queries/DepthOf", "{\"instrument\":1,\"levels\":3}"))
                    .isEqualTo("{\"instrument\":1,\"bids\":[],\"asks\":[{\"price\":105,\"quantity\":2,\"orders\":1}]}");
            assertThat(post(site + "/queries/TradesOf", "{\"instrument\":1,\"trades\":3,\"after\":0}"))
                    .isEqualTo("{\"instrument\":1,"
                            + "\"trades\":[{\"number\":1,\"price\":105,\"quantity\":3,\"taker\":\"BUY\"}]}");
            assertThat(post(site + "/queries/TradesOf", "{\"instrument\":1,\"trades\":65,\"after\":0}"))
                    .contains("\"status\":400", "trades is 1 to 64");
            assertThat(post(site + "/queries/TopOf", "{\"instrument\":99}"))
                    .contains("\"status\":409", "UNKNOWN_INSTRUMENT");
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    @Test
    void aKeyValueStoreHasADashboardAndEndsInOrder() throws Exception {
        Process server = serve("keyvalue");
        try {
            String site = address(server);
            assertThat(get(site + "/")).contains("<title>Slipstream</title>");
            assertThat(get(site + "/health")).contains("\"healthy\":true");
            assertThat(post(site + "/commands/Set", "{\"key\":\"a\",\"value\":\"\u00e9t\u00e9\"}"))
                    .isEqualTo("{\"stored\":true}");
            assertThat(post(site + "/queries/Get", "{\"key\":\"a\"}")).isEqualTo("{\"value\":\"\u00e9t\u00e9\"}");
            assertThat(post(site + "/commands/Add", "{\"key\":\"a\",\"amount\":1}"))
                    .contains("\"status\":409", "not an integer");
            assertThat(post(site + "/commands/Add", "{\"key\":\"n\",\"amount\":4}"))
                    .isEqualTo("{\"value\":4}");
            assertThat(post(site + "/commands/Delete", "{\"key\":\"a\"}")).isEqualTo("{\"deleted\":true}");
            assertThat(post(site + "/queries/Get", "{\"key\":\"a\"}")).doesNotContain("\u00e9t\u00e9");
            server.destroy();
            assertThat(server.waitFor()).isZero();
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    @Test
    void aLedgerSpeaksHttpsOnEveryAddressToThoseWhoHaveAToken() throws Exception {
        Certificates certificates = new Certificates(folder);
        Path certificate = certificates.selfSigned("gateway");
        SSLContext trusting = trusting(certificate);
        Path tokens = Files.writeString(folder.resolve("tokens"), "desk write wwww\neye read rrrr\n");
        Process server = serve("ledger", """
            http-host = "0.0.0.0"
            http-tokens = '%s'
            http-tls-certificate = '%s'
            http-tls-key = '%s'
            http-body = 1
            """.formatted(tokens, certificate, certificates.key("gateway")));
        try {
            String site = address(server);
            assertThat(site).startsWith("https://");
            String open = "{\"account\":1,\"mayOverdraw\":true}";
            assertThat(status(trusting, site, "", open)).isEqualTo(401);
            assertThat(status(trusting, site, "rrrr", open)).isEqualTo(403);
            assertThat(status(trusting, site, "wwww", open)).isEqualTo(200);
            assertThat(status(trusting, site, "wwww", open + " ".repeat(1_024))).isEqualTo(413);
            server.destroy();
            assertThat(server.waitFor()).isZero();
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    private static int status(SSLContext trusting, String site, String token, String body) throws IOException {
        HttpsURLConnection connection = (HttpsURLConnection)
                URI.create(site + "/commands/OpenAccount").toURL().openConnection();
        connection.setSSLSocketFactory(trusting.getSocketFactory());
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setRequestProperty("Authorization", "Bearer " + token);
        connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
        return connection.getResponseCode();
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

    private Process serve(String name) throws IOException {
        return serve(name, "");
    }

    private Process serve(String name, String more) throws IOException {
        Path config = Files.writeString(folder.resolve(name + ".toml"), """
            dir = '%s'
            port = 0
            http = 0
            level = "PROCESS"
            max-response = 60000
            %s\
            """.formatted(folder.resolve("data"), more));
        String own = Path.of(URI.create(Main.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
                .toString();
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-p",
                        own + File.pathSeparator + System.getProperty("jdk.module.path"),
                        "-m",
                        "io.slipstream.cli/io.slipstream.cli.Main",
                        "serve",
                        name,
                        "--config",
                        config.toString())
                .redirectErrorStream(true)
                .start();
    }

    private static String address(Process server) throws IOException {
        BufferedReader lines = server.inputReader();
        StringBuilder said = new StringBuilder();
        String found = null;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            said.append(line).append('\n');
            Matcher address = ADDRESS.matcher(line);
            found = address.matches() ? address.group(1) : found;
            if (found != null && line.startsWith("Serving")) {
                return found;
            }
        }
        throw new IOException("it did not start: " + said);
    }

    private static String get(String address) throws Exception {
        // Ready as soon as the first probe is answered.
        return Await.value("it is ready", () -> found(address), Optional::isPresent)
                .orElseThrow();
    }

    private static Optional<String> found(String address) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(address).toURL().openConnection();
        return connection.getResponseCode() == 200 ? Optional.of(text(connection.getInputStream())) : Optional.empty();
    }

    private static String post(String address, String json) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(address).toURL().openConnection();
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.getOutputStream().write(json.getBytes(StandardCharsets.UTF_8));
        return text(connection.getResponseCode() < 400 ? connection.getInputStream() : connection.getErrorStream());
    }

    private static String text(InputStream in) throws IOException {
        try (in) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
