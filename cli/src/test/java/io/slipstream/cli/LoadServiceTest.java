package io.slipstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.ledger.Ledger;
import io.slipstream.ledger.LedgerService;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceEvents;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code slipstream load service} against a ledger. */
class LoadServiceTest {
    @TempDir
    Path folder;

    private Service service;

    @BeforeEach
    void serve() throws IOException {
        service = Service.start(
                LedgerService.config(folder.resolve("ledger"))
                        .withEvents(ServiceEvents.ignored())
                        .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20)),
                Ledger::new);
    }

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void sendsCommandsOfItsOwnAndWritesWhatCameOfThem() throws Exception {
        String said = load(
                "--command",
                "OpenAccount {\"account\":{{n}},\"mayOverdraw\":true}",
                "--command",
                "AccountOf {\"account\":{{1..9}}}",
                "--rates",
                "200,400",
                "--hdr",
                file("load.hlog"),
                "--json",
                file("load.json"),
                "--html",
                file("load.html"));
        assertThat(said).startsWith("0: ").contains("200/s offered", "400/s offered", "0 failed, 0 without answer");
        assertThat(Files.readString(folder.resolve("load.json"))).contains("\"rate\":400.0", "\"p999\":");
        assertThat(Files.readString(folder.resolve("load.html"))).contains("<polyline", "Latency by time");
        assertThat(Files.readString(folder.resolve("load.hlog"))).contains("Tag=400/s,");
    }

    /** A single step is a point, and a load of less than ten seconds has ticks of fractions. */
    @Test
    void drawsALoadOfOneStepToo() throws Exception {
        load("--command", "AccountOf {\"account\":1}", "--rate", "200", "--html", file("one.html"));
        String page = Files.readString(folder.resolve("one.html"));
        String byLoad = page.substring(page.indexOf("Latency by load"), page.indexOf("Latency by time"));
        assertThat(byLoad.split("<circle ")).hasSize(1 + 3);
        String byTime = page.substring(page.indexOf("Latency by time"));
        assertThat(byTime).contains(">0.0</text>").containsPattern(">0\\.[1-9]</text>");
    }

    @Test
    void goesOnUpToTheKnee() {
        String said =
                load("--command", "AccountOf {\"account\":1}", "--rate", "1000000", "--until-knee", "--late", "0.001");
        assertThat(said).contains("The first rate was beyond the knee already.");
    }

    @Test
    void saysWhatIsWrongWithACommandBeforeAnyIsSent() {
        assertThat(load("--command", "Nonsense {}")).contains("has no command or query 'Nonsense'");
        assertThat(load("--command", "AccountOf {\"acount\":1}")).contains("acount");
        assertThat(load()).startsWith("2: ").contains("say what to send");
    }

    @Test
    void refusesOptionsThatMeanNothingBesideEachOther() {
        String query = "AccountOf {\"account\":1}";
        assertThat(load("--command", query, "--bytes", "9")).contains("--bytes and --command exclude each other");
        assertThat(load("--command", query, "--rate", "1", "--rates", "2"))
                .contains("--rates and --rate exclude each other");
        assertThat(load("--command", query, "--ipc", "a")).contains("--ipc and --port exclude each other");
        assertThat(load("--command", query, "--late", "1")).contains("--late needs --until-knee");
        assertThat(load("--command", query, "--late", "0", "--until-knee")).contains("--late must be above 0, not 0");
        assertThat(load("--command", query, "--growth", "Infinity", "--until-knee"))
                .startsWith("2: ")
                .contains("--growth must be above 1 and at most 1000, not Infinity");
        assertThat(load("--bytes", "-1")).startsWith("2: ").contains("--bytes must be from 0 to");
    }

    /** And not behind a load of minutes, whose figures would be lost. */
    @Test
    void saysAtOnceWhereItCannotWriteWhatItFinds() {
        assertThat(load("--command", "AccountOf {\"account\":1}", "--json", file("none/load.json")))
                .contains("--json cannot be written: ")
                .doesNotContain("offered");
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private String load(String... options) {
        List<String> command = new ArrayList<>(List.of(
                "load",
                "service",
                "--port",
                String.valueOf(service.port()),
                "--machine",
                "ledger",
                "--seconds",
                "0.3",
                "--connections",
                "2"));
        command.addAll(List.of(options));
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said);
        int code = Main.commandLine().setOut(out).setErr(out).execute(command.toArray(String[]::new));
        return code + ": " + said;
    }
}
