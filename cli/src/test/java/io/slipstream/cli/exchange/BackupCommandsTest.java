package io.slipstream.cli.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cli.Clients;
import io.slipstream.cli.Main;
import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.client.ExchangeClient;
import io.slipstream.exchange.service.ExchangeStateMachine;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.testkit.Await;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user's way from one machine to two and back, with the commands alone, each in a process of its own. */
class BackupCommandsTest {
    private final List<Process> started = new ArrayList<>();

    @TempDir
    Path folder;

    private Path token;

    @BeforeEach
    void writeTheToken() throws IOException {
        token = Files.writeString(folder.resolve("site.token"), "a secret of both sites\n");
    }

    @AfterEach
    void endAll() throws InterruptedException {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void anExchangeIsTakenOverByItsBackupAndTheFormerPrimaryStaysAway() throws Exception {
        Process backup = start(
                "replica",
                "serve",
                "--dir",
                folder.resolve("backup").toString(),
                "--listen",
                "127.0.0.1:0",
                "--port",
                "0",
                "--token",
                token.toString(),
                "--level",
                "PROCESS");
        String site = "127.0.0.1:" + await(backup, "Backup site on port (\\d+)");
        String[] primary = {
            "serve",
            "exchange",
            "--dir",
            folder.resolve("primary").toString(),
            "--port",
            "0",
            "--level",
            "PROCESS",
            "--backup",
            site,
            "--backup-token",
            token.toString(),
            "--backup-level",
            "BACKUP"
        };
        Process first = start(primary);
        int port = Integer.parseInt(await(first, "Serving the exchange on 127.0.0.1:(\\d+)"));
        place(port, 1, 50);
        String status = Await.value(
                "the backup has all records",
                () -> run("replica", "status", site, "--token", token.toString()),
                said -> said.contains("lag         0 records"));
        assertThat(status).contains("role        backup, term 1", "primary     connected");
        assertThat(run("top", "--once", String.valueOf(first.pid())))
                .contains("backup site", "acknowledged record", "records the backup has not acknowledged");
        assertThat(run("top", "--once", String.valueOf(backup.pid()))).contains("received record", "applied record");
        // While it runs.
        Path copy = folder.resolve("copy");
        assertThat(run("journal", "copy", folder.resolve("primary").toString(), copy.toString()))
                .contains("copied");
        place(port, 51, 60);
        assertThat(run("journal", "verify", copy.toString())).doesNotContain("damage");
        assertThat(run("journal", "dump", copy.toString()))
                .contains("orderId=1,", "orderId=50,")
                .doesNotContain("orderId=51,");
        // It opens, and leads a machine to where it ends.
        ServiceConfig opened = ServiceConfig.in(copy)
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS));
        assertThat(Service.replay(opened, new ExchangeStateMachine(16, 1_000_000))
                        .sequence())
                .isGreaterThan(50);

        assertThat(run("replica", "promote", site, "--token", token.toString())).contains("Promoted: term 2");
        assertThat(Await.exitCode(first)).isEqualTo(1);
        assertThat(rest(first)).contains("the backup site was promoted (term 2)", "clients go there");
        int next = Integer.parseInt(await(backup, "Serving the exchange on 127.0.0.1:(\\d+)"));
        place(next, 61, 70);
        assertRefuses("was promoted (term 2)", primary);
        assertRefuses(
                "was promoted (term 2)",
                "serve",
                "exchange",
                "--dir",
                folder.resolve("primary").toString(),
                "--port",
                "0",
                "--level",
                "PROCESS");
        assertThat(run("replica", "status", site, "--token", token.toString())).contains("role        promoted");

        // Two sites again, as docs/replica.md says it.
        backup.destroy();
        backup.waitFor();
        Process third = start(
                "replica",
                "serve",
                "exchange",
                "--dir",
                folder.resolve("third").toString(),
                "--listen",
                "127.0.0.1:0",
                "--port",
                "0",
                "--token",
                token.toString(),
                "--level",
                "PROCESS");
        String again = "127.0.0.1:" + await(third, "Backup site on port (\\d+)");
        primary[3] = folder.resolve("backup").toString();
        primary[9] = again;
        Process second = start(primary);
        place(Integer.parseInt(await(second, "Serving the exchange on 127.0.0.1:(\\d+)")), 71, 80);
        assertThat(run("replica", "promote", again, "--token", token.toString()))
                .contains("Promoted: term 3");
        assertThat(Await.exitCode(second)).isEqualTo(1);
        place(Integer.parseInt(await(third, "Serving the exchange on 127.0.0.1:(\\d+)")), 81, 90);
    }

    /** A promotion that ends the primary, and then has no address to serve at, would leave none of the two. */
    @Test
    void aBackupThatCannotServeIsNotPromotedAndItsPrimaryGoesOn() throws Exception {
        String[] backup = {
            "replica",
            "serve",
            "keyvalue",
            "--dir",
            folder.resolve("backup").toString(),
            "--listen",
            "127.0.0.1:0",
            "--port",
            "0",
            "--token",
            token.toString(),
            "--level",
            "PROCESS",
            "--host",
            "0.0.0.0"
        };
        assertRefuses("--open", backup);
        backup[backup.length - 1] = "127.0.0.1";
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            backup[8] = String.valueOf(taken.getLocalPort());
            Process second = start(backup);
            String site = "127.0.0.1:" + await(second, "Backup site on port (\\d+)");
            assertThat(await(second, "It cannot be promoted as long as this holds: (.*)"))
                    .contains(backup[8]);
            Process first = start(
                    "serve",
                    "keyvalue",
                    "--dir",
                    folder.resolve("primary").toString(),
                    "--port",
                    "0",
                    "--level",
                    "PROCESS",
                    "--backup",
                    site,
                    "--backup-token",
                    token.toString(),
                    "--backup-level",
                    "BACKUP");
            int port = Integer.parseInt(await(first, "Serving keys and values on 127.0.0.1:(\\d+)"));
            assertThat(redis(port, "SET a 1")).isEqualTo("+OK");
            assertRefuses("its primary goes on", "replica", "promote", site, "--token", token.toString());
            assertThat(redis(port, "INCR a")).isEqualTo(":2");
            free(taken);
            assertThat(run("replica", "promote", site, "--token", token.toString()))
                    .contains("Promoted: term 2");
            int next = Integer.parseInt(await(second, "Serving keys and values on 127.0.0.1:(\\d+)"));
            assertThat(next).isEqualTo(Integer.parseInt(backup[8]));
            assertThat(redis(next, "INCR a")).isEqualTo(":3");
        }
    }

    private static void free(ServerSocket taken) throws IOException {
        taken.close();
    }

    private static String redis(int port, String command) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }

    @Test
    void refusesWhoHasAnotherToken() throws Exception {
        Process backup = start(
                "replica",
                "serve",
                "--dir",
                folder.resolve("backup").toString(),
                "--listen",
                "127.0.0.1:0",
                "--token",
                token.toString(),
                "--level",
                "PROCESS");
        String site = "127.0.0.1:" + await(backup, "Backup site on port (\\d+)");
        Path other = Files.writeString(folder.resolve("other.token"), "another secret\n");
        assertRefuses("the token is wrong", "replica", "promote", site, "--token", other.toString());
        assertRefuses(
                "the token is wrong",
                "serve",
                "exchange",
                "--dir",
                folder.resolve("primary").toString(),
                "--port",
                "0",
                "--backup",
                site,
                "--backup-token",
                other.toString());
    }

    private static void place(int port, int from, int to) throws Exception {
        try (ExchangeClient client = Clients.exchange(port)) {
            for (int order = from; order <= to; order++) {
                client.place(1, order, Side.BUY, OrderType.LIMIT, 10_000, 1);
            }
        }
    }

    private void assertRefuses(String why, String... arguments) throws Exception {
        Process process = start(arguments);
        assertThat(rest(process)).contains(why);
        assertThat(process.waitFor()).isEqualTo(1);
    }

    /** Runs a command to its end, and returns what it says. */
    private String run(String... arguments) throws Exception {
        Process process = start(arguments);
        String said = rest(process);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private Process start(String... arguments) throws IOException {
        String own = Path.of(URI.create(Main.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
                .toString();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-p",
                own + File.pathSeparator + System.getProperty("jdk.module.path"),
                "-m",
                "io.slipstream.cli/io.slipstream.cli.Main"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        started.add(process);
        return process;
    }

    /** Reads on until a line matches; returns its first group. */
    private static String await(Process process, String pattern) throws IOException {
        StringBuilder said = new StringBuilder();
        for (String line = process.inputReader().readLine();
                line != null;
                line = process.inputReader().readLine()) {
            said.append(line).append('\n');
            Matcher matcher = Pattern.compile(pattern).matcher(line);
            if (matcher.find()) {
                return matcher.group(1);
            }
        }
        throw new IOException("it has ended without saying " + pattern + ": " + said);
    }

    private static String rest(Process process) throws IOException {
        StringBuilder said = new StringBuilder();
        for (String line = process.inputReader().readLine();
                line != null;
                line = process.inputReader().readLine()) {
            said.append(line).append('\n');
        }
        return said.toString();
    }
}
