package io.slipstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.Certificates;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ServeConfigTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    @Test
    void takesOptionsFromAFileAndLetsArgumentsWin() throws IOException {
        Path file = file("""
            # the exchange of the test
            dir = "data"
            port = 7600
            level = "process"
            open = true
            """);
        assertThat(run("serve", "exchange", "--config", file.toString(), "--port=7601", "--print-config"))
                .isZero();
        assertThat(out.toString())
                .contains(
                        "\ndir = \"data\"\n",
                        "\nport = 7601\n",
                        "\nlevel = \"PROCESS\"\n",
                        "\nopen = true\n",
                        "\ncost = 0\n",
                        "\n# http = P\n");
        assertThat(run("serve", "exchange", "--config=" + file, "--open", "--print-config"))
                .isZero();
        assertThat(out.toString()).contains("\nopen = true\n");
    }

    @Test
    void readsWhatItHasPrinted() throws IOException {
        run("serve", "keyvalue", "--dir", "a \"b\" \\c", "--print-config");
        String printed = out.toString();
        assertThat(run("serve", "keyvalue", "--config", file(printed).toString(), "--print-config"))
                .isZero();
        assertThat(out.toString()).isEqualTo(printed);
    }

    @Test
    void printsATemplateWithoutAnything() {
        assertThat(run("serve", "ledger", "--print-config")).isZero();
        assertThat(out.toString())
                .contains("# dir = DIR  (required)", "port = 7501")
                .doesNotContain("config = ");
    }

    @Test
    void namesFileLineAndKeyOfWhatIsWrong() throws IOException {
        assertWrong(
                "dir = \"d\"\nprot = 1\n",
                "line 2: prot is no option of 'slipstream serve ledger'. " + "Did you mean port?");
        assertWrong("dir = \"d\"\nport = \"1\"\n", "line 2: port must be a whole number, not 1");
        assertWrong("dir = \"d\"\nport = 99999999999\n", "line 2: port must be nearer to 0, not 99999999999");
        assertWrong("dir = \"d\"\n\nport = 70000\n", "line 3: port must be from 0 to 65535, not 70000");
        assertWrong("dir = 1\n", "line 1: dir must be a text in quotes, not 1");
        assertWrong("level = \"FAST\"\n", "line 1: level must be one of \"NONE\", \"PROCESS\", \"SYNC\", not FAST");
        assertWrong("open = 1\n", "line 1: open must be true or false, not 1");
        assertWrong("port = [1]\n", "line 1: port must be one value, not an array");
        assertWrong("[port]\nx = 1\n", "line 1: port must be a value, not a table");
        assertWrong("port = 1\nport = 2\n", "line 2: this is no TOML. ");
        assertWrong("config = \"x\"\n", "line 1: config is no option");
    }

    @Test
    void everyServiceHasOptionsForSnapshotsAndForWhatOfTheJournalIsKept() {
        for (String service : List.of("exchange", "keyvalue", "ledger")) {
            assertThat(run(
                            "serve",
                            service,
                            "--dir=d",
                            "--snapshot-every=64",
                            "--keep=24",
                            "--check-snapshots",
                            "--print-config"))
                    .isZero();
            assertThat(out.toString())
                    .contains("\nsnapshot-every = 64\n", "\nkeep = 24\n", "\ncheck-snapshots = true\n");
            assertThat(run("serve", service, "--dir=d", "--snapshot-every=0")).isEqualTo(2);
            assertThat(err.toString()).contains("--snapshot-every must be from 1 to 1048576, not 0");
            assertThat(run("serve", service, "--dir=d", "--keep=-1")).isEqualTo(2);
            assertThat(err.toString()).contains("--keep must be from 0 to 1000000, not -1");
        }
    }

    @Test
    void takesAllOfHttpFromAFile() throws IOException {
        Path file = file("""
            dir = "data"
            http = 8080
            http-host = "0.0.0.0"
            http-tokens = "tokens"
            http-tls-certificate = "gateway.pem"
            http-tls-key = "gateway.key"
            http-names = ["ledger.example", "ledger"]
            http-origins = ["https://desk.example"]
            http-rate = 100
            http-body = 64
            http-pending = 1000
            http-pending-memory = 8
            http-streams = 10
            http-answer-time = 5000
            """);
        assertThat(run("serve", "ledger", "--config", file.toString(), "--print-config"))
                .isZero();
        assertThat(out.toString())
                .contains(
                        "\nhttp-host = \"0.0.0.0\"\n",
                        "\nhttp-names = [\"ledger.example\", \"ledger\"]\n",
                        "\nhttp-answer-time = 5000\n");
    }

    @Test
    void listensByHttpToOtherMachinesOnlyWithTokensOrWhenThatIsSaid() throws IOException {
        assertThat(run("serve", "ledger", "--dir=d", "--http=0", "--http-host=0.0.0.0"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("whoever reaches 0.0.0.0:0 could send commands by HTTP", "--http-tokens", "--open");
        Path tokens = Files.writeString(folder.resolve("tokens"), "# who may what\n\ndesk write abc extra\n");
        assertThat(run("serve", "ledger", "--dir=d", "--http=0", "--http-tokens=" + tokens))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains(tokens + ", line 3: a line is NAME read TOKEN or NAME write TOKEN")
                .doesNotContain("abc");
        assertThat(run("serve", "ledger", "--dir=d", "--http=0", "--http-tokens=none"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("there is no file none for --http-tokens");
    }

    /** The files are read before the folder is there, or a port is open. */
    @Test
    void refusesABackupThatCannotBe(@TempDir Path folder) throws IOException {
        String dir = "--dir=" + folder.resolve("primary");
        for (String option : List.of(
                "--backup-token=t",
                "--backup-tls=t",
                "--backup-level=ASYNC",
                "--backup-bandwidth=5",
                "--start-alone")) {
            assertThat(run("serve", "ledger", dir, option)).isEqualTo(2);
            assertThat(err.toString()).contains(option.replaceFirst("=.*", "") + " needs --backup");
        }
        Path token = Files.writeString(folder.resolve("token"), "a long secret\n");
        Path brief = Files.writeString(folder.resolve("brief"), "brief\n");
        for (String service : List.of("exchange", "keyvalue", "ledger")) {
            assertThat(run("serve", service, dir, "--http=0", "--backup=host:1"))
                    .isNotZero();
            assertThat(err.toString()).contains("a backup site wants a token");
            assertThat(run("serve", service, dir, "--http=0", "--backup=host", "--backup-token=" + token))
                    .isNotZero();
            assertThat(err.toString()).contains("an address is HOST:PORT, not 'host'");
            assertThat(run("serve", service, dir, "--http=0", "--backup=host:1", "--backup-token=" + brief))
                    .isNotZero();
            assertThat(err.toString()).contains("the token has at least 8 characters, not 5");
            assertThat(run(
                            "serve",
                            service,
                            dir,
                            "--http=0",
                            "--backup=host:1",
                            "--backup-token=" + token,
                            "--backup-tls=" + token))
                    .isNotZero();
            assertThat(err.toString()).contains(token.toString());
        }
        assertThat(folder.resolve("primary")).doesNotExist();
    }

    @Test
    void refusesOptionsOfHttpThatWouldHaveNoEffect() throws IOException {
        assertThat(run("serve", "ledger", "--dir=d", "--http-origins=https://a.example"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--http-origins needs --http");
        assertThat(run("serve", "ledger", "--dir=d", "--http=0", "--http-tls-key=x"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--http-tls-certificate and --http-tls-key go together");
        assertThat(run("serve", "ledger", "--dir=d", "--http=0", "--http-streams=0"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--http-streams must be from 1 to 10000, not 0");
    }

    @Test
    void readsAllFilesOfHttpBeforeItOpensTheFolder() throws Exception {
        Certificates certificates = new Certificates(folder);
        Path pem = certificates.selfSigned("gateway");
        Path word = Files.writeString(folder.resolve("word"), "wrong\n");
        Path empty = Files.writeString(folder.resolve("empty"), "\n");
        Path none = folder.resolve("none");
        String tls = "--tls-certificate=" + pem;
        String key = "--tls-key=" + certificates.key("gateway");
        Path access = Files.writeString(folder.resolve("access"), "gateway token " + "0".repeat(64) + "\n");
        assertRefused("there is no file " + none + " for --http-token", "--access=" + access, "--http-token=" + none);
        assertRefused(
                empty + " for --http-token has no token in its first line",
                "--access=" + access,
                "--http-token=" + empty);
        assertRefused("--http-token needs --access", "--http-token=" + word);
        assertRefused("there is no file " + none + " for --http-trust", tls, key, "--http-trust=" + none);
        assertRefused("--http-trust " + word + ": ", tls, key, "--http-trust=" + word);
        assertRefused(
                "--http-tls-certificate, --http-tls-key: TLS cannot be set up: there is no file " + none,
                "--http-tls-certificate=" + pem,
                "--http-tls-key=" + none);
        assertRefused(
                word.toString(), "--http-tls-certificate=" + word, "--http-tls-key=" + certificates.key("gateway"));
        assertRefused("'*' is no origin", "--http-origins=*");
        assertRefused("'a:80' is no name of a host", "--http-names=a:80");
    }

    private void assertRefused(String message, String... options) {
        Path data = folder.resolve("data");
        List<String> all = new ArrayList<>(List.of("serve", "ledger", "--dir=" + data, "--port=0", "--http=0"));
        all.addAll(List.of(options));
        assertThat(run(all.toArray(String[]::new))).as(message).isEqualTo(2);
        assertThat(err.toString()).contains(message);
        assertThat(data).doesNotExist();
    }

    @Test
    void findsAPortOfHttpInUseBeforeItOpensTheFolder() throws IOException {
        Path data = folder.resolve("data");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(run("serve", "ledger", "--dir=" + data, "--port=0", "--http=" + taken.getLocalPort()))
                    .isEqualTo(1);
            assertThat(data).doesNotExist();
        }
    }

    @Test
    void findsItsPortInUseBeforeItOpensTheFolder() throws IOException {
        Path data = folder.resolve("data");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            for (String service : List.of("exchange", "keyvalue", "ledger")) {
                assertThat(run("serve", service, "--dir=" + data, "--port=" + taken.getLocalPort()))
                        .isEqualTo(1);
                assertThat(data).doesNotExist();
            }
        }
    }

    @Test
    void saysWhichFileIsNotThere() {
        assertThat(run("serve", "ledger", "--config", folder.resolve("none").toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("there is no file " + folder.resolve("none"));
    }

    private void assertWrong(String toml, String message) throws IOException {
        Path file = file(toml);
        assertThat(run("serve", "ledger", "--config", file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains(message).contains(file.toString());
    }

    private Path file(String toml) throws IOException {
        return Files.writeString(folder.resolve("service.toml"), toml);
    }

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }
}
