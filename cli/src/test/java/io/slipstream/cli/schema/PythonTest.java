package io.slipstream.cli.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cli.schema.WireRecords.All;
import io.slipstream.cli.schema.WireRecords.First;
import io.slipstream.cli.schema.WireRecords.Second;
import io.slipstream.cli.schema.WireRecords.Side;
import io.slipstream.cli.schema.WireRecords.Square;
import io.slipstream.data.codec.Codec;
import io.slipstream.ledger.AccountOf;
import io.slipstream.ledger.Ledger;
import io.slipstream.ledger.Submit;
import io.slipstream.ledger.Transfer;
import io.slipstream.testkit.Programs;
import java.lang.invoke.MethodHandles;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Java has written, Python reads, and writes the same bytes. */
class PythonTest {
    private static final HexFormat HEX = HexFormat.of();

    @TempDir
    Path folder;

    @BeforeAll
    static void needsPython() throws Exception {
        Assumptions.assumeTrue(Programs.hasPython(), "there is no python3 from 3.10 on");
    }

    @Test
    void readsAndWritesEveryType() throws Exception {
        All full = WireRecords.full();
        All empty = WireRecords.empty();
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

    @Test
    void agreesWithTheVectorsOfTheDocument() throws Exception {
        List<String[]> vectors = WireRecords.vectors();
        List<String> said = python(
                PythonModule.of(WireRecords.definitionsOfVectors()),
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
                        module + "assert _records.Record is not None and SCHEMA == '''"
                                + new Ledger().contract().definitions() + "'''\n",
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
