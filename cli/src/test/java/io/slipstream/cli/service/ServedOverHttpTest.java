package io.slipstream.cli.service;

import io.slipstream.cli.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

class ServedOverHttpTest {
    private static final Pattern ADDRESS = Pattern.compile("Dashboard on (http://localhost:\\d+)/ .*");

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
            assertThat(get(site + "/metrics")).contains("slipstream_up 1\n", "owner=\"input ring\"");
            server.destroy();
            assertThat(server.waitFor()).isZero();
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
            server.destroy();
            assertThat(server.waitFor()).isZero();
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    private Process serve(String name) throws IOException {
        Path config = Files.writeString(folder.resolve(name + ".toml"), """
                dir = '%s'
                port = 0
                http = 0
                level = "PROCESS"
                """.formatted(folder.resolve("data")));
        String own = Path.of(URI.create(Main.class.getProtectionDomain().getCodeSource().getLocation().toString()))
                .toString();
        return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-p",
                own + File.pathSeparator + System.getProperty("jdk.module.path"), "-m",
                "io.slipstream.cli/io.slipstream.cli.Main", "serve", name, "--config", config.toString())
                .redirectErrorStream(true).start();
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

    private static String get(String address) throws IOException {
        // Ready as soon as the first probe is answered.
        while (true) {
            HttpURLConnection connection = (HttpURLConnection) URI.create(address).toURL().openConnection();
            if (connection.getResponseCode() == 200) {
                return text(connection.getInputStream());
            }
            Thread.onSpinWait();
        }
    }

    private static String post(String address, String json) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) URI.create(address).toURL().openConnection();
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.getOutputStream().write(json.getBytes(StandardCharsets.UTF_8));
        return text(connection.getInputStream());
    }

    private static String text(InputStream in) throws IOException {
        try (in) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
