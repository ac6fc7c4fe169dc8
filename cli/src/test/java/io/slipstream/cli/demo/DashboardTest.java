package io.slipstream.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cli.Main;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DashboardTest {
    private static final Pattern ADDRESS = Pattern.compile("Dashboard on (http://localhost:\\d+/) .*");

    @TempDir
    private Path directory;

    @Test
    void aServedExchangeHasADashboardAndMetricsAndStillEndsInOrder() throws Exception {
        CompletableFuture<String> address = new CompletableFuture<>();
        try (ServerProcess server = ServerProcess.launch(directory, 0, "PROCESS", List.of("--http", "0"))) {
            server.awaitServing(line -> {
                Matcher found = ADDRESS.matcher(line);
                if (found.matches()) {
                    address.complete(found.group(1));
                }
            });
            String page = address.getNow("the address was not said");
            assertThat(get(page)).contains("<title>Slipstream</title>");
            assertThat(get(page + "metrics")).contains("label=\"depth\",owner=\"input ring\"");
            assertThat(server.stop()).isZero();
        }
    }

    @Test
    void refusesWhatCannotWork() {
        assertThat(Main.run("serve", "ledger", "--dir", directory.toString(), "--http-token", "x"))
                .isEqualTo(2);
        assertThat(Main.run("serve", "ledger", "--dir", directory.toString(), "--http", "0", "--access", "x"))
                .isEqualTo(2);
    }

    private static String get(String address) throws IOException {
        try (InputStream in = URI.create(address).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
