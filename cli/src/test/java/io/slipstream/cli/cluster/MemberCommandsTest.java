package io.slipstream.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cli.Main;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.Ports;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemberCommandsTest {
    /* As the script starts it. */
    private static final List<String> JAVA = List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--add-opens=java.base/jdk.internal.misc=org.agrona",
            "--sun-misc-unsafe-memory-access=allow",
            "-p",
            own() + File.pathSeparator + System.getProperty("jdk.module.path"),
            "-m",
            "io.slipstream.cli/io.slipstream.cli.Main");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    @Test
    void servesKeysAndValuesAsAMemberThatIsFormedOnce() throws Exception {
        Path members = folder.resolve("members.properties");
        Files.writeString(members, "member.0 = 127.0.0.1:" + Ports.block(7));
        assertThat(said(members)).contains("holds no member").contains("--form");
        assertThat(said(members, "--form")).contains("Serving the keys and values as member 0 of 1");
        assertThat(said(members, "--form")).contains("is not empty");
        assertThat(said(members, "--form", "--replace")).contains("takes the place of a lost one");
        assertThat(said(members)).contains("Serving the keys and values as member 0 of 1");
    }

    @Test
    void servesTheLedgerAsAMemberWithItsOwnCommands() throws Exception {
        Path members = folder.resolve("members.properties");
        Files.writeString(members, "member.0 = 127.0.0.1:" + Ports.block(7));
        String[] member = {"--cluster=" + members, "--member=0", "--level=PROCESS"};
        int http = Ports.free();
        StringBuilder said = new StringBuilder();
        Process process = started(said, serving("ledger", member, "--form", "--http=" + http));
        try {
            assertThat(said).contains("Serving the ledger as member 0 of 1");
            Await.until("it is healthy", () -> page(http, "health").startsWith("200 "));
            assertThat(page(http, "openapi.json")).contains("/commands/OpenAccount");
        } finally {
            end(process);
        }
        assertThat(run("serve", "ledger", "--port=7501", "--dir=" + folder.resolve("none"), member[0], member[1]))
                .isEqualTo(2);
        assertThat(err.toString()).contains("a member of a cluster (--cluster) has no --port");
    }

    @Test
    void refusesWhatItWouldIgnore() throws Exception {
        Path members = folder.resolve("members.properties");
        Files.writeString(members, "member.0 = 127.0.0.1:" + Ports.block(7));
        String[] member = {"--dir=" + folder.resolve("none"), "--cluster=" + members, "--member=0"};
        for (String option :
                List.of("--snapshot-every=64", "--keep=1", "--threads=1", "--port=7501", "--host=localhost")) {
            assertThat(run("serve", "exchange", option, member)).isEqualTo(2);
            assertThat(err.toString())
                    .contains("a member of a cluster (--cluster) has no " + option.replaceAll("=.*", ""));
        }
        assertThat(run("serve", "keyvalue", "--native-port=7501", member)).isEqualTo(2);
        assertThat(err.toString()).contains("has no --native-port");
        for (String option : List.of("--form", "--replace", "--no-snapshots", "--member=0", "--control-token=none")) {
            assertThat(run("serve", "keyvalue", option, "--dir=" + folder.resolve("none")))
                    .isEqualTo(2);
            assertThat(err.toString())
                    .contains("only a member of a cluster (--cluster) has " + option.replaceAll("=.*", ""));
        }
        assertThat(folder.resolve("none")).doesNotExist();
    }

    @Test
    void operatorsSeeAndCommandAMemberWithTheTokenAndSkipAnEntryWhenItIsStopped() throws Exception {
        Path members = folder.resolve("members.properties");
        Files.writeString(members, "member.0 = 127.0.0.1:" + Ports.block(7));
        String secret = "--control-token=" + Files.writeString(folder.resolve("token"), "a token of operators\n");
        String[] cluster = {"--cluster=" + members, secret};
        Process member = started(new StringBuilder(), members, "--form", secret);
        try {
            Await.until("it is ready", () -> run("cluster", "status", secret, cluster) == 0);
            assertThat(out.toString()).contains("member 0  leader").doesNotContain("pass over");
            Await.until("top shows it", () -> {
                assertThat(run("top", "--once", Long.toString(member.pid()))).isZero();
                return out.toString().contains("is ready");
            });
            assertThat(out.toString()).contains("clock ahead, ms", "bytes of log since the last one");
            assertThat(run("cluster", "status", "--cluster=" + members)).isEqualTo(1);
            assertThat(out.toString()).contains("the control token is wrong, or was not given");
            assertThat(run("cluster", "transfer", secret, cluster)).isEqualTo(1);
            assertThat(err.toString()).contains("without it 0 of 1 members are ready");
            assertThat(run("cluster", "upgrade", secret, cluster)).isEqualTo(1);
            assertThat(err.toString()).contains("all members know version 2 and act as it");
            assertThat(run("cluster", "skip", folder.resolve("data").toString(), "999"))
                    .isEqualTo(1);
            assertThat(err.toString()).contains("another member uses the folder");
        } finally {
            end(member);
        }
        assertThat(run("cluster", "skip", folder.toString(), "999")).isEqualTo(1);
        assertThat(err.toString()).contains("is not the folder of a member");
        assertThat(run("cluster", "skip", folder.resolve("data").toString(), "999"))
                .isZero();
        int http = Ports.free();
        Process again = started(new StringBuilder(), members, secret, "--http=" + http);
        try {
            Await.until("it is ready", () -> run("cluster", "status", secret, cluster) == 0);
            assertThat(out.toString()).contains("All of them pass over: 999.");
            Await.until("it is healthy", () -> page(http, "health").startsWith("200 "));
            assertThat(page(http, "health")).contains("\"healthy\":true", "\"member\":{", "\"leads\":1", "\"term\":");
            assertThat(page(http, "metrics"))
                    .contains("slipstream_level{label=\"in one entry, ms\",owner=\"member 0\"} 0")
                    .contains("slipstream_count_total{label=\"elections\",owner=\"member 0\"}");
        } finally {
            end(again);
        }
    }

    @Test
    void theJournalCommandsShowTheLogOfAMemberThatRunsAndChangeNothing() throws Exception {
        Path members = folder.resolve("members.properties");
        Files.writeString(members, "member.0 = 127.0.0.1:" + Ports.block(7));
        String data = folder.resolve("data").toString();
        Process member = started(new StringBuilder(), members, "--form");
        try {
            Await.until("it is ready", () -> run("cluster", "status", "--cluster=" + members) == 0);
            assertThat(journal("dump", data))
                    .contains("record  sequence 1  position ", "  term 0  member 0  type ")
                    .endsWith("exit 0");
            assertThat(journal("tail", data, "-n", "1", "--json"))
                    .contains("{\"kind\":\"record\",\"sequence\":1,\"position\":")
                    .endsWith("exit 0");
            assertThat(journal("copy", data, folder.resolve("copy").toString()))
                    .contains("copied  end ", "log  recording 0  start 0  end ")
                    .endsWith("exit 0");
            assertThat(backup(members, "--keep=0"))
                    .contains("--keep must be 1 or more, not 0")
                    .endsWith("exit 2");
            assertThat(backup(members))
                    .contains("backup-00000001 has all up to entry ")
                    .endsWith("exit 0");
        } finally {
            end(member);
        }
        assertThat(restore("backup-00000001", data))
                .contains("is not empty: restore member 0")
                .endsWith("exit 1");
        Files.move(folder.resolve("data"), folder.resolve("lost"));
        assertThat(restore("backup-00000001", data))
                .contains("Member 0 in ", " has all up to entry ")
                .endsWith("exit 0");
        assertThat(said(members)).contains("Serving the keys and values as member 0 of 1");
        assertThat(journal("verify", data))
                .contains("log  recording 0  start 0")
                .endsWith("exit 0");
        assertThat(journal("dump", folder.resolve("copy").toString()))
                .contains("record  sequence 1")
                .endsWith("exit 0");
        assertThat(journal("dump", data, "--marks"))
                .contains("leave out --marks")
                .endsWith("exit 1");
    }

    private static String journal(String... arguments) throws IOException, InterruptedException {
        return process("journal", arguments);
    }

    private String backup(Path members, String... more) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("backup", "--cluster=" + members, "--to=" + folder));
        arguments.addAll(List.of(more));
        return process("cluster", arguments.toArray(String[]::new));
    }

    private String restore(String backup, String data) throws IOException, InterruptedException {
        return process("cluster", "restore", folder.resolve(backup).toString(), "--dir=" + data, "--member=0");
    }

    /** Runs a command in a process of its own, as Aeron's files need what the script opens. */
    private static String process(String name, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(JAVA);
        command.add(name);
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return said + "exit " + process.waitFor();
    }

    private int run(String command, String sub, String option, String... more) {
        out.reset();
        err.reset();
        List<String> arguments = new ArrayList<>(List.of(command, sub, option));
        for (String each : more) {
            if (!each.equals(option)) {
                arguments.add(each);
            }
        }
        PrintStream usualOut = System.out;
        PrintStream usualErr = System.err;
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            return Main.run(arguments.toArray(String[]::new));
        } finally {
            System.setOut(usualOut);
            System.setErr(usualErr);
        }
    }

    /** Returns what a member says until it serves or ends; it does not outlive this. */
    private String said(Path members, String... options) throws IOException, InterruptedException {
        StringBuilder said = new StringBuilder();
        end(started(said, members, options));
        return said.toString();
    }

    /** Returns the status of a page, and behind it what it says. */
    private static String page(int port, String path) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + port + "/" + path).toURL().openConnection();
        int status = connection.getResponseCode();
        try (InputStream in = status == 200 ? connection.getInputStream() : connection.getErrorStream()) {
            return status + " " + new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void end(Process member) throws InterruptedException {
        member.destroy();
        member.waitFor();
    }

    /** Returns a member that serves or has ended, and writes into {@code said} what it has said until then. */
    private Process started(StringBuilder said, Path members, String... options) throws IOException {
        String[] member = {
            "--port=" + Ports.free(), "--level=PROCESS", "--cluster=" + members, "--member=0",
        };
        return started(said, serving("keyvalue", member, options));
    }

    private List<String> serving(String name, String[] member, String... options) {
        List<String> command = new ArrayList<>(JAVA);
        command.addAll(List.of("serve", name, "--dir=" + folder.resolve("data")));
        command.addAll(List.of(member));
        command.addAll(List.of(options));
        return command;
    }

    private static Process started(StringBuilder said, List<String> command) throws IOException {
        Process member = new ProcessBuilder(command).redirectErrorStream(true).start();
        BufferedReader lines = member.inputReader();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            said.append(line).append('\n');
            if (line.startsWith("Serving")) {
                break;
            }
        }
        return member;
    }

    private static String own() {
        return Path.of(URI.create(Main.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
                .toString();
    }
}
