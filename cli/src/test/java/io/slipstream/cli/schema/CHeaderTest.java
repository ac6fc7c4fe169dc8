package io.slipstream.cli.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.cli.schema.WireRecords.All;
import io.slipstream.cli.schema.WireRecords.First;
import io.slipstream.cli.schema.WireRecords.Leg;
import io.slipstream.cli.schema.WireRecords.Second;
import io.slipstream.cli.schema.WireRecords.Shape;
import io.slipstream.cli.schema.WireRecords.Side;
import io.slipstream.cli.schema.WireRecords.Square;
import io.slipstream.data.DecodeException;
import io.slipstream.data.annotation.Default;
import io.slipstream.data.annotation.Id;
import io.slipstream.data.annotation.Length;
import io.slipstream.data.annotation.MaxLength;
import io.slipstream.data.annotation.Name;
import io.slipstream.data.annotation.Optional;
import io.slipstream.data.annotation.Since;
import io.slipstream.data.codec.Codec;
import io.slipstream.data.schema.Definitions;
import io.slipstream.ledger.Expired;
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
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Java has written, C reads, and writes anew; what Java refuses, C refuses, too, and reads no byte beyond. */
class CHeaderTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final Path SOURCES = Path.of("src/test/c").toAbsolutePath();
    private static final Codec<All> ALL = Codec.of(All.class, MethodHandles.lookup());
    private static final Codec<Second> SECOND = Codec.of(Second.class, MethodHandles.lookup());

    @TempDir
    Path folder;

    @Id(7)
    @Name("Grown")
    record Young(int id) {}

    @Id(7)
    @Name("Grown")
    record Grown(
            int id,
            @Since(2) @Default("true") boolean flag,
            @Since(2) @Default("-128") byte small,
            @Since(2) @Default("32767") short medium,
            @Since(2) @Default("é") char letter,
            @Since(2) @Default("-2147483648") int number,
            @Since(2) @Default("-9223372036854775808") long big,
            @Since(2) @Default("1.1") float real,
            @Since(2) @Default("NaN") double none,
            @Since(2) @Default("-Infinity") double least,
            @Since(2) @Default("4.9E-324") double tiny,

            @Since(2) @Default("+1000000000-12-31T23:59:59.999999999Z")
            Instant at,

            @Since(2) @Default("1969-12-31") LocalDate day,

            @Since(2) @Default("ffffffff-ffff-ffff-0000-000000000001")
            UUID key,

            @Since(2) @Optional @Default("9") @Nullable Integer maybe,
            @Since(2) @Default("is it so??/ \"\\\n1") String text,
            @Since(3) @Length(2) int[] pair,
            @Since(3) @Length(4) byte[] tag,
            @Since(3) boolean[] flags,
            @Since(3) @Length(2) List<long[]> pairs,
            @Since(3) List<byte[]> blobs,
            @Since(3) List<Byte> bytes,
            @Since(3) @MaxLength(3) List<Instant> times,
            @Since(3) List<List<Shape>> shapes) {}

    @BeforeAll
    static void needsCompiler() throws Exception {
        Assumptions.assumeTrue(Programs.has("cc"), "there is no cc");
    }

    @Test
    void readsEveryFieldAndWritesWhatJavaReads() throws Exception {
        Files.writeString(folder.resolve("generated.h"), CHeader.of(ALL.schema().definitions()));
        Path input = Files.write(folder.resolve("input"), ALL.toBytes(WireRecords.full()));
        String said = run(compiled("fields"), input);
        Codec<Leg> codec = Codec.of(Leg.class, MethodHandles.lookup());
        assertThat(codec.fromBytes(HEX.parseHex(said.strip()))).isEqualTo(new Leg(8, "", new Leg(7, "inner", null)));
    }

    @Test
    void agreesWithJavaOnRandomRecordsWholeCutAndDamaged() throws Exception {
        Random random = new Random(39);
        List<byte[]> messages =
                new ArrayList<>(List.of(ALL.toBytes(WireRecords.full()), ALL.toBytes(WireRecords.empty())));
        for (int i = 0; i < 200; i++) {
            byte[] message = ALL.toBytes(WireRecords.random(random));
            messages.add(message);
            for (int j = 0; j < 10; j++) {
                messages.add(damaged(message, random));
            }
        }
        assertThat(assertSame(ALL, messages)).isBetween(500, 2_000);
    }

    @Test
    void refusesEveryCutAndReadsEveryChangeOfAByteAsJavaDoes() throws Exception {
        Codec<Square> codec = Codec.of(Square.class, MethodHandles.lookup());
        byte[] bytes = codec.toBytes(new Square(1, List.of("a", "", "é")));
        List<byte[]> messages = new ArrayList<>();
        for (int length = 0; length < bytes.length; length++) {
            messages.add(Arrays.copyOf(bytes, length));
            for (int value = 0; value < 256; value++) {
                byte[] changed = bytes.clone();
                changed[length] = (byte) value;
                messages.add(changed);
            }
        }
        assertThat(assertSame(codec, messages)).isBetween(1_000, messages.size() - bytes.length);
    }

    @Test
    void givesOlderMessagesTheirDefaults() throws Exception {
        Codec<Young> young = Codec.of(Young.class, MethodHandles.lookup());
        Codec<Grown> grown = Codec.of(Grown.class, MethodHandles.lookup());
        byte[] old = young.toBytes(new Young(-1));
        byte[] present = grown.toBytes(grown.fromBytes(old));
        assertThat(assertSame(grown, List.of(old, present))).isZero();
        Codec<First> first = Codec.of(First.class, MethodHandles.lookup());
        byte[] one = first.toBytes(new First(1, "one"));
        byte[] two = SECOND.toBytes(
                new Second(2, "two", 3, 4, Side.BUY, "w", BigDecimal.ONE.setScale(2), Duration.ZERO, List.of("x")));
        assertThat(assertSame(SECOND, List.of(one, two))).isZero();
        assertThat(assertSame(first, List.of(one, two))).isZero();
    }

    @Test
    void agreesWithJavaOnArraysWithinLists() throws Exception {
        Codec<Grown> grown = Codec.of(Grown.class, MethodHandles.lookup());
        Grown empty =
                grown.fromBytes(Codec.of(Young.class, MethodHandles.lookup()).toBytes(new Young(1)));
        Grown value = new Grown(
                1,
                false,
                empty.small(),
                empty.medium(),
                empty.letter(),
                empty.number(),
                empty.big(),
                empty.real(),
                empty.none(),
                empty.least(),
                empty.tiny(),
                empty.at(),
                empty.day(),
                empty.key(),
                null,
                empty.text(),
                new int[] {1, 2},
                new byte[] {1, 2, 3, -4},
                new boolean[] {true, false, true},
                List.of(new long[] {1, -2}, new long[] {Long.MAX_VALUE, 0}),
                List.of(new byte[0], new byte[] {5}),
                List.of((byte) 1, (byte) -1),
                List.of(Instant.EPOCH, Instant.MAX),
                List.of(List.of(), List.of(new Square(1, List.of("s")), new WireRecords.Circle(2))));
        byte[] bytes = grown.toBytes(value);
        Random random = new Random(40);
        List<byte[]> messages = new ArrayList<>(List.of(bytes));
        for (int i = 0; i < 1_000; i++) {
            messages.add(damaged(bytes, random));
        }
        assertThat(assertSame(grown, messages)).isBetween(200, 1_000);
    }

    @Test
    void agreesWithTheVectorsOfTheDocument() throws Exception {
        List<String[]> vectors = WireRecords.vectors();
        List<String> said = echo(
                CHeader.of(WireRecords.definitionsOfVectors()),
                List.of("Message"),
                vectors.stream().map(vector -> "Message " + vector[2]).toList());
        assertThat(said).hasSameSizeAs(vectors);
        for (int i = 0; i < said.size(); i++) {
            String[] vector = vectors.get(i);
            assertThat(said.get(i))
                    .as(String.join(" ", vector))
                    .startsWith(
                            switch (vector[1]) {
                                case "write" -> vector[2];
                                case "read" -> vector[4];
                                default -> "- -1 ";
                            });
        }
    }

    @Test
    void writesTheRecordsOfAContract() throws Exception {
        Codec<Submit> codec = Codec.of(Submit.class);
        String submit = HEX.formatHex(codec.toBytes(new Submit(List.of(Transfer.pay(1, 2, 3, 4)))));
        String expired = HEX.formatHex(Codec.of(Expired.class).toBytes(new Expired(7)));
        String header = CHeader.of(new Ledger().contract());
        assertThat(header)
                .startsWith("/* Records of the service ledger. ")
                .contains("\ntypedef Submitted Submit_reply;\n", "\ntypedef Account AccountOf_reply;\n");
        assertThat(echo(
                        header,
                        List.of("Submit", "ledger_event"),
                        List.of("Submit " + submit, "ledger_event " + expired, "ledger_event " + submit)))
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo(submit),
                        line -> assertThat(line).isEqualTo(expired),
                        line -> assertThat(line).startsWith("- -1 "));
    }

    @Test
    void compilesTheExampleOfTheDocumentAndTwoHeadersSideBySide() throws Exception {
        String document = Files.readString(Path.of("../docs/data.md"));
        int begin = document.indexOf("```c\n") + 5;
        Path source = Files.writeString(
                folder.resolve("example.c"),
                "#include \"generated.h\"\n" + document.substring(begin, document.indexOf("```", begin)));
        Files.writeString(folder.resolve("orders.h"), CHeader.of(Definitions.parse("""
            record Order id 7 version 1 {
              1 long id
              2 string(16) symbol
              3 int? venue
              4 list<OrderLeg> legs
              5 list<string> int
              6 list<list<string>> a$b
            }
            record OrderLeg id 8 version 1 {
              1 int ratio
            }
            """)));
        Files.writeString(folder.resolve("generated.h"), CHeader.of(ALL.schema().definitions()));
        compile("-c", "-o", folder.resolve("example.o").toString(), source.toString());
        assertThat(folder.resolve("example.o")).exists();
    }

    @Test
    void refusesTwoThingsOfOneName() {
        Definitions fields = Definitions.parse("record A id 1 {\n1 int has_b\n2 int? b\n}\n");
        assertThatThrownBy(() -> CHeader.of(fields))
                .hasMessage("two things would have the name has_b in C; give one of them another with @Name");
        Definitions types =
                Definitions.parse("record A id 1 {\n1 E b\n}\nrecord E_X id 2 {\n1 int a\n}\nenum E { X }\n");
        assertThatThrownBy(() -> CHeader.of(types)).hasMessageContaining("the name E_X in C");
    }

    private static byte[] damaged(byte[] message, Random random) {
        byte[] damaged = message.clone();
        int kind = random.nextInt(4);
        if (kind == 0) {
            return Arrays.copyOf(message, random.nextInt(message.length));
        }
        int at = random.nextInt(message.length);
        if (kind == 1) {
            damaged[at] ^= (byte) (1 << random.nextInt(8));
        } else if (kind == 2) {
            damaged[at] = (byte) random.nextInt(256);
        } else {
            for (int i = 0; i < Integer.BYTES && at + i < message.length; i++) {
                damaged[at + i] = (byte) (i == 0 ? random.nextInt(message.length) : 0);
            }
        }
        return damaged;
    }

    /** Compares what C writes of each message with what Java writes of it; returns how many both refuse. */
    private <T> int assertSame(Codec<T> codec, List<byte[]> messages) throws Exception {
        List<String> wanted = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        int refused = 0;
        for (byte[] message : messages) {
            lines.add(codec.schema().name() + " " + HEX.formatHex(message));
            try {
                wanted.add(HEX.formatHex(codec.toBytes(codec.fromBytes(message))));
            } catch (DecodeException e) {
                wanted.add("- -1");
                refused++;
            }
        }
        List<String> said = echo(
                CHeader.of(codec.schema().definitions()), List.of(codec.schema().name()), lines);
        assertThat(said).hasSameSizeAs(wanted);
        for (int i = 0; i < said.size(); i++) {
            String line = said.get(i);
            assertThat(line.startsWith("- -1 ") ? "- -1" : line)
                    .as("%s: %s", lines.get(i), line)
                    .isEqualTo(wanted.get(i));
        }
        return refused;
    }

    /** Compiles echo.c with a header, gives it lines to read, and returns what it says. */
    private List<String> echo(String header, List<String> names, List<String> lines) throws Exception {
        Files.writeString(folder.resolve("generated.h"), header);
        Files.writeString(
                folder.resolve("records.inc"),
                names.stream().map(name -> "RECORD(" + name + ")\n").collect(Collectors.joining()));
        return run(compiled("echo"), Files.write(folder.resolve("input"), lines))
                .lines()
                .toList();
    }

    private Path compiled(String name) throws Exception {
        Path program = folder.resolve(name);
        compile("-o", program.toString(), SOURCES.resolve(name + ".c").toString());
        return program;
    }

    private void compile(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("cc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"));
        command.addAll(List.of("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-I", "."));
        command.addAll(List.of(arguments));
        assertThat(output(new ProcessBuilder(command))).isEmpty();
    }

    private String run(Path program, Path input) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(program.toString()).redirectInput(input.toFile());
        // Who looks for what was not freed must be allowed to trace processes.
        builder.environment().put("ASAN_OPTIONS", "detect_leaks=0");
        return output(builder);
    }

    private String output(ProcessBuilder builder) throws Exception {
        Process process =
                builder.directory(folder.toFile()).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
