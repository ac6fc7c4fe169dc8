package io.slipstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.ledger.Ledger;
import io.slipstream.ledger.LedgerService;
import io.slipstream.ledger.OpenAccount;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.typed.TypedClient;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.ChildJvm;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code journal check} and {@code bisect} say which command it is, and what is wrong with what they were given. */
class BisectCommandTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();

    @BeforeEach
    void write() throws IOException {
        try (Service service = Service.start(LedgerService.config(folder), Ledger::new);
                TypedClient client = Clients.ledger(service.port())) {
            client.call(new OpenAccount(7, true));
        }
    }

    @Test
    void saysThatBothReplaysAgree() {
        assertThat(run("--machine", "ledger")).isZero();
        assertThat(out.toString()).contains("came to the same state");
    }

    @Test
    void namesTheFirstEntryThatGoesTwoWays() {
        assertThat(run("--machine", Moody.class.getName())).isEqualTo(1);
        assertThat(out.toString())
                .containsPattern("The first difference is behind entry \\d+ \\(a command of session")
                .containsPattern("It was sent by session \\d+, and entered the log at 2\\d\\d\\d-")
                .contains("not deterministic");
    }

    @Test
    void namesItForProgramsToo() {
        assertThat(run("--machine", "ledger", "--json")).isZero();
        assertThat(lastLine()).startsWith("{\"kind\":\"same\",\"entry\":").contains("\"firstHash\":\"");
        assertThat(run("--machine", Moody.class.getName(), "--json")).isEqualTo(1);
        assertThat(lastLine())
                .startsWith("{\"kind\":\"differs\",\"entry\":")
                .contains("\"type\":\"command\"", "\"session\":", "\"time\":\"2", "\"secondHash\":\"")
                .doesNotContain("upTo");
    }

    @Test
    void checksALogFromItsFirstEntry() {
        assertThat(journal("check", "--machine", "ledger")).isZero();
        assertThat(out.toString())
                .contains("Replayed entries 1 to ")
                .contains("at 1 checks and 0 snapshots")
                .doesNotContain("not proven");
        assertThat(journal("check", "--machine", "ledger", "--json")).isZero();
        assertThat(lastLine()).startsWith("{\"kind\":\"proof\",\"after\":0,").contains("\"checks\":1");
    }

    @Test
    void findsThatTheMachineOfALogIsAnotherOne() {
        assertThat(journal("check", "--machine", Moody.class.getName())).isEqualTo(1);
        assertThat(out.toString()).contains("The replay diverged: the state behind entry");
        assertThat(journal("check", "--machine", Moody.class.getName(), "--json"))
                .isEqualTo(1);
        assertThat(lastLine()).startsWith("{\"kind\":\"diverged\",\"after\":0,\"upTo\":");
    }

    @Test
    void namesTheEntryAtWhichTheMachineThrowsAnError() {
        for (String command : List.of("check", "bisect")) {
            assertThat(journal(command, "--machine", Dying.class.getName())).isEqualTo(1);
            assertThat(lastLine())
                    .startsWith("slipstream: the state machine has thrown java.lang.AssertionError: no at log entry ")
                    .contains("`slipstream journal skip /", Dying.class.getName() + ".onCommand(");
        }
    }

    @Test
    void addsNothingToTheLog() {
        assertThat(journal("check", "--machine", "ledger", "--json")).isZero();
        String before = lastLine();
        assertThat(run("--machine", Moody.class.getName())).isEqualTo(1);
        assertThat(journal("check", "--machine", "ledger", "--json")).isZero();
        assertThat(lastLine()).isEqualTo(before);
    }

    @Test
    void aFolderWithoutALogProvesNothingAndIsNotMade() throws IOException {
        Path none = folder.resolve("none");
        Path empty = Files.createDirectory(folder.resolve("empty"));
        for (String command : List.of("check", "bisect")) {
            assertThat(execute("journal", command, none.toString(), "--machine", "ledger"))
                    .isEqualTo(1);
            assertThat(lastLine()).isEqualTo("slipstream: there is no folder " + none);
            assertThat(none).doesNotExist();
            assertThat(execute("journal", command, empty.toString(), "--machine", "ledger"))
                    .isEqualTo(1);
            assertThat(lastLine()).isEqualTo("slipstream: there is no log of a service in " + empty);
        }
    }

    @Test
    void aServiceWhoseLogLeadsToAnotherStateSaysSoInOneLine() throws IOException {
        Path other = folder.resolve("other");
        try (Service service = Service.start(ServiceConfig.in(other).withMaxResponseTime(Await.RESPONSE), new Moody());
                ServiceClient client = ServiceClient.connect("127.0.0.1", service.port())) {
            client.call(new byte[3]);
        }
        out.getBuffer().setLength(0);
        assertThat(execute("serve", "ledger", "--dir", other.toString(), "--port", "0"))
                .isEqualTo(1);
        assertThat(out.toString())
                .contains("slipstream: the state behind entry")
                .contains("journal bisect")
                .doesNotContain("\tat ");
    }

    @Test
    void takesAFolderOfJarsAsJavaDoes() throws IOException {
        Path source = Files.writeString(folder.resolve("Away.java"), """
            public class Away implements io.slipstream.service.machine.StateMachine {
                public void onCommand(
                        io.slipstream.service.machine.Request command,
                        io.slipstream.service.machine.Output output) {}
                public long stateHash() { return 1; }
                public String name() { return "ledger"; }
                public int version() { return %s; }
            }
            """.formatted(new Ledger().version()));
        String classes = folder.resolve("classes").toString();
        String jars = Files.createDirectory(folder.resolve("jars")).toString();
        tool("javac", "-proc:none", "-cp", ChildJvm.classPath(), "-d", classes, source.toString());
        tool("jar", "--create", "--file", jars + "/away.jar", "-C", classes, ".");
        assertThat(run("--machine", "Away", "--class-path", jars + "/*")).isEqualTo(1);
        assertThat(out.toString()).contains("Both replays agree, but not with the log");
        assertThat(run("--machine", "Away", "--class-path", folder + "/none/*")).isEqualTo(1);
        assertThat(lastLine()).isEqualTo("slipstream: there is no " + folder + "/none, which the class path names");
    }

    private static void tool(String name, String... arguments) {
        assertThat(ToolProvider.findFirst(name).orElseThrow().run(System.out, System.err, arguments))
                .isZero();
    }

    private String lastLine() {
        return out.toString().lines().reduce("", (_, line) -> line);
    }

    private int run(String... arguments) {
        return journal("bisect", arguments);
    }

    private int journal(String command, String... arguments) {
        List<String> all = new ArrayList<>(List.of("journal", command, folder.toString()));
        all.addAll(List.of(arguments));
        return execute(all.toArray(String[]::new));
    }

    private int execute(String... arguments) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(out, true));
        return line.execute(arguments);
    }

    /** Calls itself a ledger, and ends the service at the first command. */
    public static final class Dying implements StateMachine {
        /** Creates one. */
        public Dying() {}

        @Override
        public void onCommand(Request command, Output output) {
            throw new AssertionError("no");
        }

        @Override
        public long stateHash() {
            return 0;
        }

        @Override
        public String name() {
            return "ledger";
        }

        @Override
        public int version() {
            return new Ledger().version();
        }
    }

    /** Calls itself a ledger, and counts the commands of all of its kind. */
    public static final class Moody implements StateMachine {
        private static final AtomicLong ALL = new AtomicLong();

        private long seen;

        /** Creates one. */
        public Moody() {}

        @Override
        public void onCommand(Request command, Output output) {
            seen = ALL.incrementAndGet();
        }

        @Override
        public long stateHash() {
            return seen;
        }

        @Override
        public String name() {
            return "ledger";
        }

        @Override
        public int version() {
            return new Ledger().version();
        }
    }
}
