package io.slipstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.ledger.Ledger;
import io.slipstream.ledger.LedgerService;
import io.slipstream.ledger.OpenAccount;
import io.slipstream.service.Service;
import io.slipstream.service.machine.Command;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.typed.TypedClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code journal bisect} says which command it is, and what is wrong with what it was given. */
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
                .contains("not deterministic");
    }

    @Test
    void saysWhatIsWrongWithTheMachine() {
        assertThat(run("--machine", "keyvalue")).isEqualTo(1);
        assertThat(out.toString()).contains("this is the log of 'ledger', and the state machine is 'keyvalue'");
        assertThat(run("--machine", "exchange")).isEqualTo(1);
        assertThat(out.toString()).contains("no folder of 'serve exchange'");
        assertThat(run("--machine", "com.example.Bank")).isEqualTo(1);
        assertThat(out.toString()).contains("com.example.Bank is neither").contains("--class-path");
        assertThat(run("--machine", String.class.getName())).isEqualTo(1);
        assertThat(out.toString()).contains("java.lang.String is no io.slipstream.service.machine.StateMachine");
        assertThat(run("--machine", "ledger", "--class-path", "no.jar")).isEqualTo(1);
        assertThat(out.toString()).contains("there is no no.jar");
    }

    private int run(String... arguments) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(out, true));
        String[] all = new String[arguments.length + 3];
        all[0] = "journal";
        all[1] = "bisect";
        all[2] = folder.toString();
        System.arraycopy(arguments, 0, all, 3, arguments.length);
        return line.execute(all);
    }

    /** Calls itself a ledger, and counts the commands of all of its kind. */
    public static final class Moody implements StateMachine {
        private static final AtomicLong ALL = new AtomicLong();

        private long seen;

        /** Creates one. */
        public Moody() {}

        @Override
        public void onCommand(Command command, Output output) {
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
    }
}
