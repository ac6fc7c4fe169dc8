package io.slipstream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.cli.exchange.ExchangeFolder;
import io.slipstream.core.frame.Frame;
import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.client.ExchangeClient;
import io.slipstream.exchange.service.ExchangeStateMachine;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.ledger.Ledger;
import io.slipstream.ledger.OpenAccount;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.protocol.SchemaFile;
import io.slipstream.service.typed.Command;
import io.slipstream.service.typed.Contract;
import io.slipstream.service.typed.TypedClient;
import io.slipstream.service.typed.TypedMachine;
import io.slipstream.testkit.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What the commands about journals say, and the codes with which they end. */
class JournalCommandTest {
    private static final int LAST = 25;
    private static final int LENGTH = JournalRecord.HEADER_BYTES + 8;

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final PrintStream before = System.out;

    @BeforeEach
    void writeAJournalAndListen() throws JournalException {
        try (Journal journal = open()) {
            MemorySegment memory = Arena.ofAuto().allocate(Frame.align(LENGTH), Frame.ALIGNMENT);
            for (int i = 1; i <= LAST; i++) {
                JournalRecord.header(memory, 0, LENGTH, (short) (i % 3), (byte) 1, (byte) 0);
                journal.append(memory, 0, Frame.align(LENGTH));
                journal.commit();
            }
            journal.tailer("billing").close();
        }
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void stopListening() {
        System.setOut(before);
    }

    @Test
    void dumpsWhatWasSelected() {
        assertThat(sequences(0, "journal", "dump")).isEqualTo(rangeClosed(1, LAST));
        assertThat(sequences(0, "journal", "dump", "--from", "20")).isEqualTo(rangeClosed(20, LAST));
        assertThat(sequences(0, "journal", "dump", "--from", "3", "--to", "7")).isEqualTo(rangeClosed(3, 7));
        assertThat(sequences(0, "journal", "dump", "--type", "2", "--to", "8")).containsExactly(2L, 5L, 8L);
        assertThat(text()).doesNotContain("mark");
        assertThat(sequences(0, "journal", "dump", "--marks", "--to", "1")).containsExactly(1L);
        assertThat(text()).contains("segment  number 1", "state opened");
        assertThat(run("journal", "dump", "--json", "--from", "5", "--to", "5", folder.toString()))
                .isZero();
        assertThat(text()).startsWith("{\"kind\":\"record\",\"sequence\":5,").hasLineCount(1);
    }

    @Test
    void showsTheLastRecordsOrThoseFromWhereItWasTold() {
        assertThat(sequences(0, "journal", "tail")).isEqualTo(rangeClosed(LAST - 9, LAST));
        assertThat(sequences(0, "journal", "tail", "-n", "3")).isEqualTo(rangeClosed(LAST - 2, LAST));
        assertThat(sequences(0, "journal", "tail", "-n", "0")).isEmpty();
        assertThat(sequences(0, "journal", "tail", "--from", "1")).isEqualTo(rangeClosed(1, LAST));
        assertThat(sequences(0, "journal", "tail", "--from", "7", "--to", "9")).isEqualTo(rangeClosed(7, 9));
        assertThat(run("journal", "tail", "-n", "3", "--from", "7", folder.toString()))
                .isEqualTo(2);
        assertThat(text()).startsWith("slipstream: --count and --from exclude each other");
    }

    @Test
    void showsTheCommandsOfATypedService() throws Exception {
        Path ledger = folder.resolve("ledger");
        ServiceConfig config = ServiceConfig.in(ledger)
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20));
        try (Service service = Service.start(config, new Ledger());
                TypedClient client = Clients.ledger(service.port())) {
            client.attempt(new OpenAccount(7, true));
        }
        assertThat(run("journal", "dump", ledger.toString())).isZero();
        assertThat(text()).contains(": " + new OpenAccount(7, true));
        assertThat(run("journal", "tail", "--machine", Ledger.class.getName(), ledger.toString()))
                .isZero();
        assertThat(text()).contains(": " + new OpenAccount(7, true));
        assertThat(run("journal", "dump", "--machine", "keyvalue", ledger.toString()))
                .isEqualTo(1);
        assertThat(text()).contains("keyvalue is no io.slipstream.service.typed.TypedMachine");
        assertThat(run("journal", "dump", "--machine", "com.acme.Nothing", ledger.toString()))
                .isEqualTo(1);
        assertThat(text()).contains("com.acme.Nothing").contains("--class-path");
    }

    record Sell(long article, String note) implements Command<Sold> {}

    record Sold(long left) {}

    private static final class Shop extends TypedMachine {
        static final Contract CONTRACT = Contract.named("shop", MethodHandles.lookup())
                .commands(Sell.class)
                .build();

        Shop() {
            super(CONTRACT);
            on(Sell.class, (sell, context) -> new Sold(sell.article()));
        }

        @Override
        public long stateHash() {
            return 0;
        }
    }

    @Test
    void showsTheCommandsOfATypedServiceWithoutItsClasses() throws Exception {
        Path shop = folder.resolve("shop");
        ServiceConfig config = ServiceConfig.in(shop)
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20));
        for (long article = 7; article < 9; article++) {
            try (Service service = Service.start(config, new Shop());
                    TypedClient client = TypedClient.of(Shop.CONTRACT).connect(Clients.patient(service.port()))) {
                client.call(new Sell(article, "a, \"b\""));
            }
        }
        assertThat(run("journal", "dump", shop.toString())).isZero();
        assertThat(text())
                .contains(": Sell[article=7, note=\"a, \\u0022b\\u0022\"]")
                .contains(": Sell[article=8, note=");
        assertThat(run("journal", "tail", shop.toString())).isZero();
        assertThat(text()).contains(": Sell[article=8, note=");
        assertThat(run("journal", "verify", shop.toString())).isZero();
        Path copy = folder.resolve("copy");
        assertThat(run("journal", "copy", shop.toString(), copy.toString())).isZero();
        assertThat(run("journal", "dump", copy.toString())).isZero();
        assertThat(text()).contains(": Sell[article=8, note=");
    }

    @Test
    void showsTheCommandsOfAnExchange() throws Exception {
        Path exchange = folder.resolve("exchange");
        ServiceConfig config = ServiceConfig.in(exchange)
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(256 << 10));
        try (Service service = Service.start(config, new ExchangeStateMachine(4, 100));
                ExchangeClient client = Clients.exchange(service.port())) {
            client.place(2, 17, Side.BUY, OrderType.LIMIT, 10_025, 50);
            client.cancel(2, 17);
        }
        assertThat(run("journal", "dump", exchange.toString())).isZero();
        assertThat(text())
                .contains(
                        ": opens or resumes a session",
                        ": PlaceCommand[instrument=2, orderId=17, side=BUY, type=LIMIT, price=10025, quantity=50]",
                        ": CancelCommand[instrument=2, orderId=17]",
                        ": ends its session");
        assertThat(run("journal", "dump", "--json", exchange.toString())).isZero();
        assertThat(text()).contains(": CancelCommand[instrument=2, orderId=17]\"}");
    }

    @Test
    void copiesWhatIsNeededToReadAndReplayTheLogAndNoRole() throws Exception {
        Path exchange = folder.resolve("exchange");
        ServiceConfig config = ServiceConfig.in(exchange)
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(256 << 10));
        ExchangeFolder.requireSame(exchange, 4, 100);
        try (Service service = Service.start(config, ExchangeFolder.machine(exchange));
                ExchangeClient client = Clients.exchange(service.port())) {
            client.place(2, 17, Side.BUY, OrderType.LIMIT, 10_025, 50);
        }
        SchemaFile.write(exchange, "record Sell id 7 version 1 {\n  1 long article\n}\n");
        Files.writeString(exchange.resolve("site.properties"), "role=primary\n");
        Path copy = folder.resolve("copy");
        assertThat(run("journal", "copy", exchange.toString(), copy.toString())).isZero();
        assertThat(SchemaFile.read(copy)).isEqualTo(SchemaFile.read(exchange));
        assertThat(run("journal", "check", copy.toString(), "--machine", "exchange"))
                .as(text())
                .isZero();
        assertThatThrownBy(() -> ExchangeFolder.requireSame(copy, 5, 100)).hasMessageContaining("instruments=4");
        assertThat(copy.resolve("site.properties")).doesNotExist();
    }

    @Test
    void followsUntilItIsInterrupted() {
        Thread.currentThread().interrupt();
        assertThat(sequences(0, "journal", "tail", "--follow", "-n", "2")).isEqualTo(rangeClosed(LAST - 1, LAST));
        assertThat(Thread.interrupted()).isTrue();
    }

    /** Each record is asked for before the next one is written, so every one of them comes while the command waits. */
    @Test
    void followsToRecordsThatComeLaterAlsoInFurtherSegments() throws Exception {
        Path growing = folder.resolve("growing");
        try (Journal journal =
                Journal.open(growing, JournalConfig.at(Durability.PROCESS).withSegmentBytes(16 << 10))) {
            appendLarge(journal);
            AtomicInteger code = new AtomicInteger(-1);
            Thread tail =
                    Thread.ofPlatform().start(() -> code.set(run("journal", "tail", "--follow", growing.toString())));
            Await.until("the first record", () -> sequences().equals(List.of(1L)));
            for (long last = 2; last <= 6; last++) {
                appendLarge(journal);
                List<Long> all = rangeClosed(1, last);
                Await.until("the next record", () -> sequences().equals(all));
            }
            try (Stream<Path> files = Files.list(growing)) {
                assertThat(files.map(Path::toString)
                                .filter(name -> name.endsWith(".journal"))
                                .count())
                        .isGreaterThan(2);
            }
            tail.interrupt();
            tail.join();
            assertThat(code).hasValue(0);
        }
    }

    private static void appendLarge(Journal journal) throws JournalException {
        int length = JournalRecord.HEADER_BYTES + 3000;
        MemorySegment memory = Arena.ofAuto().allocate(Frame.align(length), Frame.ALIGNMENT);
        JournalRecord.header(memory, 0, length, (short) 1, (byte) 1, (byte) 0);
        journal.append(memory, 0, Frame.align(length));
        journal.commit();
    }

    @Test
    void endsWithOneWhenSomethingIsWrongAndWithZeroWhenItWasRepaired() throws Exception {
        for (String command : List.of("verify", "stat", "index", "snapshots", "dump")) {
            assertThat(run("journal", command, folder.toString())).as(command).isZero();
        }
        Path segment = folder.resolve("segment-0000000000000001.journal");
        byte[] image = Files.readAllBytes(segment);
        image[3 * 4096 + 48 + JournalRecord.HEADER_BYTES] ^= 1;
        Files.write(segment, image);
        for (String command : List.of("verify", "stat", "dump")) {
            assertThat(run("journal", command, folder.toString())).as(command).isEqualTo(1);
            assertThat(text()).as(command).contains("segment-0000000000000001.journal");
        }
        assertThat(run("journal", "repair", "--dry-run", folder.toString())).isZero();
        assertThat(text()).startsWith("would  do cut");
        assertThat(Files.readAllBytes(segment)).isEqualTo(image);
        assertThat(run("journal", "repair", folder.toString())).isZero();
        assertThat(text()).startsWith("repaired  records 1");
        assertThat(run("journal", "verify", folder.toString())).isZero();
        try (Journal journal = open()) {
            assertThat(journal.nextSequence()).isEqualTo(2);
        }
    }

    @Test
    void saysWhereThereIsNoJournalAndWhoHasIt() throws IOException {
        for (String command : List.of("dump", "verify", "stat", "tail", "repair", "index", "snapshots")) {
            assertThat(run("journal", command, folder.resolve("none").toString()))
                    .as(command)
                    .isEqualTo(1);
            assertThat(text()).as(command).contains("there is no folder " + folder.resolve("none"));
        }
        try (Journal _ = open()) {
            assertThat(run("journal", "repair", folder.toString())).isEqualTo(1);
            assertThat(text()).contains("in use by another process");
            assertThat(run("journal", "verify", folder.toString())).isZero();
        }
    }

    @Test
    void playsARunOfTheSimulationAgainFromItsSeed() {
        assertThat(run("sim", "journal", "--seed", "4711", "--runs", "5")).isZero();
        assertThat(text()).startsWith("seeds 4711 to 4715").contains("all promises kept: 5 runs");
        assertThat(run("sim", "journal", "--seed", "4713", "--runs", "1")).isZero();
        String first = text();
        assertThat(run("sim", "journal", "--seed", "4713", "--runs", "1")).isZero();
        assertThat(text()).isEqualTo(first);
    }

    private List<Long> sequences(int code, String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = folder.toString();
        assertThat(run(all)).isEqualTo(code);
        return sequences();
    }

    private List<Long> sequences() {
        return text().lines()
                .filter(line -> line.startsWith("record"))
                .map(line -> Long.valueOf(line.split("\\s+")[2]))
                .toList();
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private int run(String... arguments) {
        out.reset();
        CommandLine line = Main.commandLine();
        PrintWriter writer = new PrintWriter(out, true, StandardCharsets.UTF_8);
        line.setOut(writer);
        line.setErr(writer);
        return line.execute(arguments);
    }

    private static List<Long> rangeClosed(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }

    private Journal open() throws JournalException {
        return Journal.open(folder, JournalConfig.at(Durability.SYNC).withSegmentBytes(256 << 10));
    }
}
