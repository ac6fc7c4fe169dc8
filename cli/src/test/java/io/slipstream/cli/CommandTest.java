package io.slipstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.affinity.Topology;
import io.slipstream.core.counters.Counters;
import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.client.ExchangeClient;
import io.slipstream.exchange.service.ExchangeStateMachine;
import io.slipstream.ledger.Ledger;
import io.slipstream.ledger.LedgerService;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.testkit.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CommandTest {
    @TempDir
    Path directory;

    private final StringWriter said = new StringWriter();

    @Test
    void helpsWithEveryCommand() {
        assertThat(run("--help")).isZero();
        assertThat(said.toString()).contains("demo", "serve", "load");
        assertThat(run("serve", "exchange", "--help")).isZero();
        assertThat(said.toString()).contains("--dir", "--port", "--level");
        assertThat(run("load", "exchange", "--help")).isZero();
        assertThat(run("demo", "--help")).isZero();
    }

    @Test
    void asksWhichCommandAndNamesThoseThereAre() {
        wrong("which of 'slipstream'? There are: demo, serve, load");
        wrong("which of 'slipstream serve'? There are: exchange, keyvalue, ledger", "serve");
        wrong("there is no 'slipstream serve nonsense'. There are: exchange, keyvalue, ledger", "serve", "nonsense");
        wrong("there is no 'slipstream journal nonsense'. There are: dump, verify", "journal", "nonsense");
        wrong("which of 'slipstream lab'? There are: list", "lab");
    }

    @Test
    void namesTheCommandThatWasMeantIfItIsNear() {
        assertThat(run("jornal")).isEqualTo(2);
        assertThat(said.toString()).contains("\nDid you mean: slipstream journal?\n");
        assertThat(run("nosuch")).isEqualTo(2);
        assertThat(said.toString()).contains("there is no 'slipstream nosuch'");
        assertThat(said.toString().substring(said.toString().indexOf("nosuch"))).doesNotContain("Did you mean");
    }

    @Test
    void namesAMissingCertificateBeforeItOpensAnything() {
        for (String serving : List.of("exchange", "keyvalue", "ledger")) {
            said.getBuffer().setLength(0);
            assertThat(run("serve", serving, "--dir=x", "--port=0", "--tls-certificate=nope", "--tls-key=nope"))
                    .isEqualTo(1);
            assertThat(said.toString()).contains("there is no file nope").doesNotContain("Counters", "Dashboard");
        }
    }

    @Test
    void refusesAnEmptyHostEverywhere() {
        for (String serving : List.of("exchange", "keyvalue", "ledger")) {
            wrong("--host must be a name or an address, not empty", "serve", serving, "--dir", "x", "--host", "");
            wrong(
                    "--http-host must be a name or an address, not empty",
                    "serve",
                    serving,
                    "--dir",
                    "x",
                    "--http-host",
                    "");
        }
        wrong("--host must be a name or an address, not empty", "load", "service", "--bytes", "1", "--host", "");
        wrong("--host must be a name or an address, not empty", "load", "exchange", "--host", " ");
    }

    @Test
    void refusesAWrongValueOfAnOptionInTheSameWordsEverywhere() {
        wrong("Missing required option: '--dir=DIR'", "serve", "exchange");
        wrong("--port must be from 0 to 65535, not 99999", "serve", "exchange", "--dir", "x", "--port", "99999");
        wrong(
                "Invalid value for option '--dir': 'x\0y' is no path: Nul character not allowed",
                "serve",
                "exchange",
                "--dir",
                "x\0y");
        wrong("--port must be a whole number, not ten", "serve", "exchange", "--dir", "x", "--port", "ten");
        wrong("--port must be nearer to 0, not 9999999999", "serve", "exchange", "--dir", "x", "--port", "9999999999");
        wrong(
                "--level must be one of NONE, PROCESS, SYNC, not SOMETIMES",
                "serve",
                "exchange",
                "--dir",
                "x",
                "--level",
                "SOMETIMES");
        wrong("--threads must be from 1 to 3, not 4", "serve", "exchange", "--dir", "x", "--threads", "4");
        wrong(
                "--gateway-threads must be from 1 to 8, not 9",
                "serve",
                "ledger",
                "--dir",
                "x",
                "--gateway-threads",
                "9");
        wrong(
                "--gateway-threads 2 needs --threads 3, and there are 2",
                "serve",
                "keyvalue",
                "--dir",
                "x",
                "--threads",
                "2",
                "--gateway-threads",
                "2");
        wrong(
                "--gateway-threads 2 needs --threads 3, and there is 1",
                "serve",
                "exchange",
                "--dir",
                "x",
                "--threads",
                "1",
                "--gateway-threads",
                "2");
        wrong("--port must be from 1 to 65535, not 0", "load", "exchange", "--port", "0");
        wrong("--rate must be above 0 and at most 100000000, not -1", "load", "exchange", "--rate", "-1");
        wrong("--rate must be a number, not fast", "load", "exchange", "--rate", "fast");
        wrong("--rate must be 100 or more, not 1.5", "demo", "--rate", "1.5");
        wrong("--seconds must be above 0 and at most 3600, not 0", "jitter", "--seconds", "0");
        wrong("--threshold-ns must be ", "jitter", "--threshold-ns", "1");
        wrong("--cpus 9999: ", "jitter", "--cpus", "9999");
        wrong("--cpus x: ", "jitter", "--cpus", "x");
        wrong("--cpus must be a list of CPUs, as in 0-3,8, not ''", "jitter", "--cpus", "");
        wrong("--interval must be 1 or more, not 0", "top", "x", "--interval", "0");
        wrong("--from must be 1 or more, not 0", "journal", "dump", "x", "--from", "0");
        wrong("--to must be 20 or more, not 10", "journal", "dump", "x", "--from", "20", "--to", "10");
        wrong("--type must be from 0 to 32767, not 70000", "journal", "dump", "x", "--type", "70000");
        wrong("--count must be 0 or more, not -4", "journal", "tail", "x", "-n", "-4");
        wrong("--runs must be 1 or more, not 0", "sim", "journal", "--runs", "0");
        wrong("--height must be from 5 to 100, not 0", "banner", "x", "--height", "0");
        wrong("TEXT must be 1 to 200 characters that can be seen, not 201", "banner", "x".repeat(201));
    }

    /** As an unset variable of a script is. */
    @Test
    void saysWhatAnEmptyArgumentIsForInTheSameWordsEverywhere() {
        for (String empty : new String[] {"", "   "}) {
            wrong(
                    "FILE|PID must not be empty: a counters file, or the number of a process that has one\n"
                            + "'slipstream top --help' shows its options.",
                    "top",
                    empty);
            wrong("TEXT must not be empty: what to print, 1 to 200 characters", "banner", empty);
            wrong("CHANNEL must not be empty: the file of the channel, or its name", "ipc", "stat", empty);
            wrong("SCHEMA must not be empty: a file, or the name of a class", "schema", "show", empty);
            wrong("NEW must not be empty: a file, or the name of a class", "schema", "diff", "x", empty);
            wrong("CLASS must not be empty: the class of its elements", "data", "query", "x", empty);
            wrong("FILE must not be empty: what to read; - for standard input", "data", "import", "x", "y", empty);
            wrong("ID must not be empty: such as B3", "lab", "explain", empty);
            wrong("ID must not be empty: ids, groups or 'all'", "lab", "run", empty);
            wrong(
                    "SERVICE must not be empty: what the primary serves",
                    "replica",
                    "serve",
                    empty,
                    "--dir",
                    "x",
                    "--token",
                    "x");
            wrong(
                    "HOST:PORT must not be empty: where the backup site listens",
                    "replica",
                    "status",
                    empty,
                    "--token",
                    "x");
            wrong(
                    "Invalid value for positional parameter at index 0 (DIR): a path is missing",
                    "journal",
                    "stat",
                    empty);
        }
    }

    @Test
    void aWrongNumberLeavesNoFolderBehind() {
        Path folder = directory.resolve("exchange");
        for (String[] option : new String[][] {
            {"--instruments", "0"},
            {"--instruments", "1048576"},
            {"--max-orders", "0"},
            {"--max-orders", "2000000000"},
            {"--max-response", "0"},
            {"--max-response", "60001"}
        }) {
            wrong(
                    option[0] + " must be from 1 to ",
                    "serve",
                    "exchange",
                    "--dir",
                    folder.toString(),
                    option[0],
                    option[1]);
            assertThat(folder).doesNotExist();
        }
    }

    @Test
    void anExchangeThatTakesNoSnapshotsRefusesTheirOptions() {
        Path folder = directory.resolve("exchange");
        for (String[] option : new String[][] {{"--snapshot-every", "64"}, {"--keep", "1"}, {"--check-snapshots"}}) {
            List<String> line =
                    new ArrayList<>(List.of("serve", "exchange", "--dir", folder.toString(), "--cost", "100"));
            line.addAll(List.of(option));
            wrong(
                    "an exchange whose commands cost time (--cost) takes no snapshots; leave " + option[0] + " out",
                    line.toArray(String[]::new));
            assertThat(folder).doesNotExist();
        }
    }

    @Test
    void drawsTheMachineAndWatchesACpuOfIt() {
        assertThat(run("topology")).isZero();
        assertThat(said.toString()).contains("machine: ", "this process:", "memory:");
        int cpu = Topology.read().allowed().stream().findFirst().orElseThrow();
        assertThat(run("jitter", "--seconds", "1", "--cpus", String.valueOf(cpu)))
                .isZero();
        assertThat(said.toString()).contains("watching CPU " + cpu);
        assertThat(run("jitter", "--seconds", "1e-10", "--cpus", String.valueOf(cpu)))
                .isZero();
    }

    private static final class FullDisk extends OutputStream {
        @Override
        public void write(int octet) throws IOException {
            throw new IOException("No space left on device");
        }
    }

    @Test
    void aCommandWhoseOutputIsLostHasFailed() throws Exception {
        fillJournal();
        Path counters = directory.resolve("counters");
        // This process lives on, so that top has no other reason to end.
        try (Counters _ = Counters.create(counters, 1)) {
            for (String[] command : new String[][] {
                {"topology"},
                {"lab", "list"},
                {"--help"},
                {"top", "--once", counters.toString()},
                {"top", counters.toString()},
                {"journal", "stat", directory.toString()}
            }) {
                failsOnAFullDisk(command);
            }
        }
    }

    @Test
    void writesTheRecordsOfASchemaOrAServiceForOtherLanguages() throws IOException {
        Path schema = Files.writeString(directory.resolve("order.schema"), "record Order id 7 {\n  1 long id\n}\n");
        assertThat(printed("schema", "python", schema.toString())).contains("\nclass Order(_records.Record):\n");
        assertThat(printed("schema", "c", schema.toString())).contains("\nstruct Order {\n    int64_t id;\n};\n");
        assertThat(printed("schema", "c", "--machine", "ledger")).startsWith("/* Records of the service ledger. ");
        wrong("say what to write: a schema, or --machine", "schema", "c");
        wrong("say what to write: a schema, or --machine", "schema", "c", schema.toString(), "--machine", "ledger");
    }

    private static String printed(String... command) {
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            assertThat(Main.commandLine().execute(command)).isZero();
        } finally {
            System.setOut(out);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    private void failsOnAFullDisk(String... command) {
        said.getBuffer().setLength(0);
        PrintStream out = System.out;
        System.setOut(new PrintStream(new FullDisk(), false, StandardCharsets.UTF_8));
        try {
            CommandLine line = Main.commandLine();
            line.setErr(new PrintWriter(said, true));
            assertThat(line.execute(command)).as(String.join(" ", command)).isEqualTo(1);
            assertThat(said.toString())
                    .startsWith("slipstream: the output could not be written to its end")
                    .hasLineCount(1);
        } finally {
            System.setOut(out);
        }
    }

    @Test
    void aWriterThatLosesTheOutputIsSeenToo() {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(new OutputStreamWriter(new FullDisk(), StandardCharsets.UTF_8)));
        line.setErr(new PrintWriter(said, true));
        assertThat(line.execute("topology")).isEqualTo(1);
    }

    @Test
    void saysThatThePortIsTakenOrTheFolderInUse() throws Exception {
        try (Service service = Service.start(
                ServiceConfig.in(directory.resolve("a")).withMaxResponseTime(Await.RESPONSE),
                new ExchangeStateMachine(16, 1000))) {
            assertThat(serve("b", Integer.toString(service.port()))).isEqualTo(1);
            assertThat(said.toString()).contains("slipstream: cannot listen on 127.0.0.1:" + service.port());
            assertThat(serve("a", "0")).isEqualTo(1);
            assertThat(said.toString()).contains(directory.resolve("a").toString());
        }
    }

    @Test
    void saysThatTheFolderIsNone() throws Exception {
        Files.writeString(directory.resolve("file"), "x");
        assertThat(serve("file", "0")).isEqualTo(1);
        assertThat(said.toString()).contains("slipstream: " + directory.resolve("file") + " is a file, not a folder");
    }

    @Test
    void saysInOneLineThatTheFolderIsOfAnotherService() throws Exception {
        Service.start(LedgerService.config(directory), Ledger::new).close();
        assertThat(run("serve", "keyvalue", "--dir", directory.toString(), "--port", "0"))
                .isEqualTo(1);
        assertThat(said.toString())
                .startsWith("slipstream: this is the log of '")
                .hasLineCount(1);
    }

    @Test
    void namesOptionsAndNoMethodsWhenItRefusesToListenToTheNetwork() throws Exception {
        for (String service : List.of("exchange", "keyvalue", "ledger")) {
            Path folder = directory.resolve(service);
            assertThat(run("serve", service, "--dir", folder.toString(), "--port", "0", "--host", "0.0.0.0"))
                    .isEqualTo(1);
            assertThat(said.toString())
                    .contains("--access", "--open", "127.0.0.1")
                    .doesNotContainPattern("with[A-Z]")
                    .hasLineCount(1);
            said.getBuffer().setLength(0);
            Path access = Files.writeString(directory.resolve("access"), "");
            assertThat(run(
                            "serve",
                            service,
                            "--dir",
                            folder.toString(),
                            "--port",
                            "0",
                            "--host",
                            "0.0.0.0",
                            "--access",
                            access.toString()))
                    .isEqualTo(1);
            assertThat(said.toString())
                    .contains("--tls-certificate", "--tls-key", "--open")
                    .doesNotContainPattern("with[A-Z]")
                    .hasLineCount(1);
            said.getBuffer().setLength(0);
            assertThat(folder).doesNotExist();
        }
    }

    @Test
    void saysThatAnExchangeWasMadeWithOtherSettings() throws Exception {
        Files.writeString(directory.resolve("exchange.properties"), "instruments=4\nmaxOrders=1000000\n");
        assertThat(run("serve", "exchange", "--dir", directory.toString(), "--instruments", "5"))
                .isEqualTo(1);
        assertThat(said.toString()).contains("was made with instruments=4, not 5");
    }

    @Test
    void anExchangeThatDoesNotStartLeavesItsSettingsToNobody() throws Exception {
        Path folder = directory.resolve("a");
        assertThat(run(
                        "serve",
                        "exchange",
                        "--dir",
                        folder.toString(),
                        "--instruments",
                        "4",
                        "--host",
                        "no.such.host.invalid"))
                .isEqualTo(1);
        assertThat(said.toString()).contains("slipstream: there is no host no.such.host.invalid");
        assertThat(folder).doesNotExist();
        try (Service service = Service.start(
                ServiceConfig.in(directory.resolve("b")).withMaxResponseTime(Await.RESPONSE),
                new ExchangeStateMachine(16, 1000))) {
            assertThat(run(
                            "serve",
                            "exchange",
                            "--dir",
                            folder.toString(),
                            "--instruments",
                            "4",
                            "--port",
                            Integer.toString(service.port())))
                    .isEqualTo(1);
        }
        assertThat(folder.resolve("exchange.properties")).doesNotExist();
        assertThat(run(
                        "serve",
                        "exchange",
                        "--dir",
                        folder.toString(),
                        "--instruments",
                        "5",
                        "--host",
                        "no.such.host.invalid"))
                .isEqualTo(1);
        assertThat(said.toString()).doesNotContain("was made with");
    }

    @Test
    void refusesAJournalThatIsDamagedInTheMiddleAndNamesFileAndOffset() throws Exception {
        fillJournal();
        Path segment = segment();
        try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {0x55, 0x55, 0x55}), 3 * 4096 + 100);
        }
        assertThat(serve(".", "0")).isEqualTo(1);
        assertThat(said.toString()).contains(segment.getFileName().toString()).containsPattern("offset \\d+");
    }

    @Test
    void refusesAJournalOfANewerVersion() throws Exception {
        fillJournal();
        Path segment = segment();
        ByteBuffer header = ByteBuffer.allocate(128).order(ByteOrder.LITTLE_ENDIAN);
        try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.read(header, 0);
            header.putInt(8, 99);
            CRC32C checksum = new CRC32C();
            checksum.update(header.array(), 0, 124);
            header.putInt(124, (int) checksum.getValue());
            channel.write(header.clear(), 0);
        }
        assertThat(serve(".", "0")).isEqualTo(1);
        assertThat(said.toString()).contains(segment.getFileName().toString()).contains("version");
    }

    @Test
    void saysThatThereIsNoSuchHostOrNobodyThere() {
        assertThat(run("load", "exchange", "--host", "no.such.host.invalid")).isEqualTo(1);
        assertThat(said.toString()).contains("slipstream: there is no host no.such.host.invalid");
    }

    @Test
    void loadsAnExchangeAndAccountsForEveryCommand() throws Exception {
        try (Service service = Service.start(
                ServiceConfig.in(directory).withMaxResponseTime(Await.RESPONSE),
                new ExchangeStateMachine(16, 100_000))) {
            assertThat(run(
                            "load",
                            "exchange",
                            "--port",
                            Integer.toString(service.port()),
                            "--rate",
                            "2000",
                            "--seconds",
                            "1",
                            "--connections",
                            "2"))
                    .isZero();
            assertThat(said.toString()).contains("0 failed, 0 without answer");
        }
    }

    @Test
    void offersAsManyCommandsAsTheRateSays() throws Exception {
        try (Service service = Service.start(
                ServiceConfig.in(directory).withMaxResponseTime(Await.RESPONSE), new ExchangeStateMachine(16, 1000))) {
            assertThat(run(
                            "load",
                            "exchange",
                            "--port",
                            Integer.toString(service.port()),
                            "--rate",
                            "10",
                            "--seconds",
                            "0.5",
                            "--connections",
                            "1"))
                    .isZero();
            assertThat(said.toString()).contains("5 commands offered");
        }
    }

    private void fillJournal() throws IOException {
        try (Service service = Service.start(
                        ServiceConfig.in(directory).withMaxResponseTime(Await.RESPONSE),
                        new ExchangeStateMachine(16, 1000));
                ExchangeClient client = Clients.exchange(service.port())) {
            for (int i = 1; i <= 20; i++) {
                client.place(1, i, Side.BUY, OrderType.LIMIT, 100 + i, 5);
            }
        }
    }

    private Path segment() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().matches(".*\\d.*"))
                    .min(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }

    private int serve(String folder, String port) {
        return run(
                "serve",
                "exchange",
                "--dir",
                directory.resolve(folder).normalize().toString(),
                "--port",
                port);
    }

    /** A command that is asked in the wrong way says so in the first line, and ends with 2. */
    private void wrong(String words, String... arguments) {
        said.getBuffer().setLength(0);
        assertThat(run(arguments)).as(words).isEqualTo(2);
        assertThat(said.toString()).startsWith("slipstream: " + words);
    }

    private int run(String... arguments) {
        CommandLine line = Main.commandLine();
        PrintWriter writer = new PrintWriter(said, true);
        line.setOut(writer);
        line.setErr(writer);
        return line.execute(arguments);
    }
}
