package io.slipstream.cli.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.data.annotation.Default;
import io.slipstream.data.annotation.Id;
import io.slipstream.data.annotation.Length;
import io.slipstream.data.annotation.Name;
import io.slipstream.data.annotation.Optional;
import io.slipstream.data.annotation.Scale;
import io.slipstream.data.annotation.Since;
import io.slipstream.data.codec.Codec;
import io.slipstream.data.schema.Definitions;
import io.slipstream.ledger.AccountOf;
import io.slipstream.ledger.Ledger;
import io.slipstream.ledger.Submit;
import io.slipstream.ledger.Transfer;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Java has written, Python reads, and writes the same bytes. */
class PythonTest {
    private static final HexFormat HEX = HexFormat.of();

    @TempDir
    Path folder;

    enum Side {
        BUY,
        SELL,
        None
    }

    @Id(1)
    record Leg(int ratio, String name, @Optional @Nullable Leg next) {}

    sealed interface Shape permits Circle, Square {}

    @Id(2)
    record Circle(double radius) implements Shape {}

    @Id(3)
    record Square(float side, List<String> names) implements Shape {}

    @Id(4)
    record Nothing() {}

    @Id(5)
    record All(
            boolean flag,
            byte small,
            short medium,
            char letter,
            int number,
            long big,
            float real,
            double wide,
            @Scale(2) BigDecimal price,
            Side side,
            Instant at,
            Duration took,
            LocalDate day,
            UUID key,
            @Length(3) int[] exact,
            @Nullable Integer maybe,
            @Optional @Nullable Side perhaps,
            String from,
            @Optional @Nullable String note,
            byte[] data,
            char[] letters,
            double[] values,
            List<Integer> numbers,
            List<Side> sides,
            List<String> words,
            List<List<String>> pages,
            List<Leg> legs,
            @Optional @Nullable List<Leg> more,
            List<Shape> shapes,
            Shape shape,
            Nothing nothing) {}

    @Id(6)
    @Name("Versioned")
    record First(int id, String text) {}

    @Id(6)
    @Name("Versioned")
    record Second(
            int id,
            String text,
            @Since(2) @Default("7") long added,
            @Since(2) @Optional @Nullable Integer maybe,
            @Since(2) @Default("SELL") Side side,
            @Since(2) @Default("say \"hé\" \\") String word,
            @Since(2) @Default("-1.5") @Scale(2) BigDecimal price,
            @Since(2) @Default("-PT0.5S") Duration took,
            @Since(2) List<String> words) {}

    @BeforeAll
    static void needsPython() throws Exception {
        boolean found;
        try {
            found = new ProcessBuilder("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 10))")
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            found = false;
        }
        Assumptions.assumeTrue(found, "there is no python3 from 3.10 on");
    }

    @Test
    void readsAndWritesEveryType() throws Exception {
        Leg leg = new Leg(-1, "é€😀", new Leg(2, "", null));
        All full = new All(
                true,
                (byte) -3,
                (short) -300,
                'é',
                -70_000,
                Long.MIN_VALUE,
                1.5f,
                Math.PI,
                new BigDecimal("-12.34"),
                Side.None,
                Instant.ofEpochSecond(-5, 7),
                Duration.ofNanos(-1),
                LocalDate.of(1969, 12, 31),
                new UUID(-1, 2),
                new int[] {1, -2, 3},
                -9,
                Side.SELL,
                "from",
                "",
                new byte[] {-1, 0, 1},
                new char[] {'a', 'é'},
                new double[] {0.5, -0.5},
                List.of(1, -1),
                List.of(Side.SELL, Side.BUY),
                List.of("", "a", ""),
                List.of(List.of(), List.of("b", "")),
                List.of(leg, new Leg(3, "c", null)),
                List.of(),
                List.of(new Circle(2), new Square(3, List.of("s"))),
                new Square(0, List.of()),
                new Nothing());
        All empty = new All(
                false,
                (byte) 0,
                (short) 0,
                '\0',
                0,
                0,
                0,
                0,
                new BigDecimal("0.00"),
                Side.BUY,
                Instant.EPOCH,
                Duration.ZERO,
                LocalDate.EPOCH,
                new UUID(0, 0),
                new int[3],
                null,
                null,
                "",
                null,
                new byte[0],
                new char[0],
                new double[0],
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                null,
                List.of(),
                new Circle(0),
                new Nothing());
        Codec<All> codec = Codec.of(All.class, MethodHandles.lookup());
        List<String> said = python(
                PythonModule.of(codec.schema().definitions()),
                "All " + HEX.formatHex(codec.toBytes(full)),
                "All " + HEX.formatHex(codec.toBytes(empty)));
        assertThat(said.get(0))
                .startsWith(HEX.formatHex(codec.toBytes(full)) + " All(flag=True, small=-3, medium=-300, letter='é',")
                .contains("price=Decimal('-12.34'), side=<Side.None_: 2>, at=-4999999993, took=-1,")
                .contains("exact=[1, -2, 3], maybe=-9, perhaps=<Side.SELL: 1>, from_='from', note='',")
                .contains("shape=Square(side=0.0, names=[])");
        assertThat(said.get(1)).startsWith(HEX.formatHex(codec.toBytes(empty)) + " All(flag=False,");
    }

    @Test
    void readsBytesOfOtherVersions() throws Exception {
        Codec<First> first = Codec.of(First.class, MethodHandles.lookup());
        Codec<Second> second = Codec.of(Second.class, MethodHandles.lookup());
        byte[] old = first.toBytes(new First(1, "one"));
        byte[] present = second.toBytes(
                new Second(2, "two", 3, 4, Side.BUY, "w", BigDecimal.ONE.setScale(2), Duration.ZERO, List.of()));
        assertThat(python(PythonModule.of(second.schema().definitions()), "Versioned " + HEX.formatHex(old)))
                .singleElement()
                .asString()
                .endsWith(
                        " Versioned(id=1, text='one', added=7, maybe=None, side=<Side.SELL: 1>, word='say \"hé\" \\\\',"
                                + " price=Decimal('-1.5'), took=-500000000, words=[])");
        assertThat(python(PythonModule.of(first.schema().definitions()), "Versioned " + HEX.formatHex(present)))
                .singleElement()
                .asString()
                .endsWith(" Versioned(id=2, text='two')");
    }

    @Test
    void refusesBytesThatAreCutOrOverlap() throws Exception {
        Codec<Square> codec = Codec.of(Square.class, MethodHandles.lookup());
        byte[] bytes = codec.toBytes(new Square(1, List.of("a", "b")));
        String[] lines = new String[bytes.length];
        for (int length = 1; length < bytes.length; length++) {
            lines[length - 1] = "Square " + HEX.formatHex(Arrays.copyOf(bytes, length));
        }
        byte[] overlapping = bytes.clone();
        overlapping[12] = 9;
        lines[bytes.length - 1] = "Square " + HEX.formatHex(overlapping);
        assertThat(python(PythonModule.of(codec.schema().definitions()), lines))
                .hasSize(lines.length)
                .allMatch(line -> line.startsWith("- "));
    }

    /** They were computed from {@code docs/data-format.md} alone; Java reads them in {@code MessageVectorsTest}. */
    @Test
    void agreesWithTheVectorsOfTheDocument() throws Exception {
        String file = Files.readString(Path.of("../data/src/test/resources/io/slipstream/data/messages.txt"));
        List<String[]> vectors = file.lines()
                .filter(line -> line.matches("# (write|read|refuse) .*"))
                .map(line -> line.split(" ", 6))
                .toList();
        List<String> said = python(
                PythonModule.of(Definitions.parse(file)),
                vectors.stream().map(vector -> "Message " + vector[2]).toArray(String[]::new));
        assertThat(said).hasSameSizeAs(vectors);
        for (int i = 0; i < said.size(); i++) {
            String[] vector = vectors.get(i);
            assertThat(said.get(i))
                    .as(String.join(" ", vector))
                    .startsWith(
                            switch (vector[1]) {
                                case "write" -> vector[2] + " Message(";
                                case "read" -> vector[4] + " Message(";
                                default -> "- ";
                            });
        }
    }

    @Test
    void writesTheRecordsOfAContract() throws Exception {
        Codec<Submit> codec = Codec.of(Submit.class);
        byte[] bytes = codec.toBytes(new Submit(List.of(Transfer.pay(1, 2, 3, 4), Transfer.voided(5, 6))));
        String module = PythonModule.of(new Ledger().contract());
        assertThat(module)
                .startsWith("\"\"\"Records of the service ledger. ")
                .contains("\nSubmit.REPLY = Submitted\n", "\nAccountOf.REPLY = Account\n", "\nEVENTS = (Expired,)\n");
        assertThat(python(
                        module,
                        "Submit " + HEX.formatHex(bytes),
                        "AccountOf " + HEX.formatHex(Codec.of(AccountOf.class).toBytes(new AccountOf(7)))))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith(HEX.formatHex(bytes) + " Submit(transfers=[Transfer(id=1, debit=2,"),
                        line -> assertThat(line).endsWith(" AccountOf(account=7)"));
    }

    /** Runs clients/python/tests/records_of_java.py with a module and lines to read; returns what it says. */
    private List<String> python(String module, String... lines) throws Exception {
        Files.writeString(folder.resolve("generated.py"), module);
        Path script = Path.of("..", "clients", "python", "tests", "records_of_java.py");
        Path input = Files.write(folder.resolve("input"), List.of(lines));
        ProcessBuilder builder = new ProcessBuilder("python3", "-B", script.toString(), folder.toString())
                .redirectErrorStream(true)
                .redirectInput(input.toFile());
        builder.environment().put("PYTHONIOENCODING", "utf-8");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.lines().toList();
    }
}
