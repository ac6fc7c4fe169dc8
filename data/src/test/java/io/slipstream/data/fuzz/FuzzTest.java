package io.slipstream.data.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.DecodeException;
import io.slipstream.data.annotation.MaxLength;
import io.slipstream.data.annotation.Optional;
import io.slipstream.data.annotation.Scale;
import io.slipstream.data.codec.Codec;
import io.slipstream.data.dump.Dump;
import io.slipstream.data.json.Json;
import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.SchemaException;
import io.slipstream.data.text.BooleanText;
import io.slipstream.data.text.CsvFormat;
import io.slipstream.data.text.CsvReader;
import io.slipstream.data.text.DecimalText;
import io.slipstream.data.text.DoubleText;
import io.slipstream.data.text.HexText;
import io.slipstream.data.text.InstantText;
import io.slipstream.data.text.LongText;
import io.slipstream.data.text.SegmentText;
import io.slipstream.data.text.TextException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every decoder and parser of the module against damaged bytes and noise; see {@link Fuzzer}. */
class FuzzTest {
    enum Side {
        BUY,
        SELL
    }

    record Leg(int ratio, @Optional @Nullable String note, long[] marks) {}

    sealed interface Command {}

    record Place(
            long id,
            @MaxLength(8) String symbol,
            Side side,
            @Scale(2) BigDecimal price,
            @Nullable Integer venue,
            Instant at,
            LocalDate day,
            UUID token,
            byte[] raw,
            double[] rates,
            List<Leg> legs,
            List<String> tags,
            List<Command> linked)
            implements Command {}

    record Cancel(long id, boolean all) implements Command {}

    /** What a flyweight shows. */
    interface View {
        long id();

        String symbol();

        Side side();

        double[] rates();

        List<String> tags();
    }

    private static final Codec<Command> COMMANDS = Codec.of(Command.class);
    private static final Json<Command> JSON = Json.of(COMMANDS);
    private static final List<Command> VALUES = List.of(
            new Cancel(7, true),
            new Place(
                    -1,
                    "EURUSD",
                    Side.SELL,
                    new BigDecimal("1.25"),
                    5,
                    Instant.EPOCH,
                    LocalDate.EPOCH,
                    new UUID(1, 2),
                    new byte[] {1, 2, 3},
                    new double[] {0.1, -2},
                    List.of(new Leg(1, "a\u00e4\u20ac\n", new long[] {1, 2}), new Leg(2, null, new long[0])),
                    List.of("", "\"x\""),
                    List.of(new Cancel(1, false), place(List.of(place(List.of()))))),
            place(List.of()));

    private static Place place(List<Command> linked) {
        return new Place(
                0,
                "",
                Side.BUY,
                new BigDecimal("0.00"),
                null,
                Instant.MAX.minusSeconds(1),
                LocalDate.of(-9999, 1, 1),
                new UUID(0, 0),
                new byte[0],
                new double[0],
                List.of(),
                List.of(),
                linked);
    }

    @Test
    void codecAndFlyweight() {
        Fuzzer fuzzer = new Fuzzer(
                DecodeException.class,
                "\0\1\2\7\377",
                VALUES.stream().map(COMMANDS::toBytes).toList());
        assertThat(fuzzer.run((bytes, begin, end) ->
                        JSON.write(COMMANDS.decode(MemorySegment.ofArray(bytes), begin, end - begin))))
                .isBetween(0.1, 0.9);
        Codec<View> views = Codec.of(View.class);
        View view = views.create(7L, new double[] {0.1, -2}, Side.SELL, "EURUSD", List.of("a", ""));
        Fuzzer viewed = new Fuzzer(DecodeException.class, "\0\1\2\7\377", List.of(views.toBytes(view)));
        assertThat(viewed.run((bytes, begin, end) -> Arrays.deepToString(
                        views.values(views.flyweight().wrap(MemorySegment.ofArray(bytes), begin, end - begin)))))
                .isBetween(0.1, 0.9);
    }

    @Test
    void dump() {
        Fuzzer fuzzer = new Fuzzer(
                DecodeException.class,
                "\0\1\2\7\377",
                VALUES.stream().map(COMMANDS::toBytes).toList());
        Definitions definitions = COMMANDS.schema().definitions();
        assertThat(fuzzer.run((bytes, begin, end) -> {
                    List<Dump.Line> lines = new ArrayList<>();
                    new Dump(definitions, lines::add).value(MemorySegment.ofArray(bytes), begin, end - begin);
                    return lines;
                }))
                .isBetween(0.1, 0.9);
    }

    @Test
    void json() {
        Fuzzer fuzzer = Fuzzer.ofTexts(
                DecodeException.class,
                "{}[]\",:\\u0123456789eE+-. \n\377tfn",
                VALUES.stream().map(JSON::write).toArray(String[]::new));
        assertThat(fuzzer.run((bytes, begin, end) -> {
                    String text = JSON.write(JSON.read(bytes, begin, end - begin));
                    assertThat(JSON.write(JSON.read(text))).isEqualTo(text);
                    return text;
                }))
                .isBetween(0.1, 0.9);
    }

    @Test
    void definitions() {
        String text = COMMANDS.schema().definitions().toString();
        Fuzzer fuzzer = Fuzzer.ofTexts(SchemaException.class, "{}[]<>()=?,;:#@ \n0123456789\377", text, "");
        assertThat(fuzzer.run((bytes, begin, end) -> {
                    Definitions read = Definitions.parse(new String(bytes, begin, end - begin, StandardCharsets.UTF_8));
                    assertThat(Definitions.parse(read.toString())).hasToString(read.toString());
                    return read.toString();
                }))
                .isBetween(0.1, 0.9);
    }

    @Test
    void wholeNumbers() {
        SegmentText segments = new SegmentText();
        refusesSome(
                Fuzzer.ofTexts(
                        TextException.class,
                        "0123456789+-_. x",
                        "0",
                        "-1",
                        "+12345678",
                        Long.toString(Long.MAX_VALUE),
                        Long.toString(Long.MIN_VALUE),
                        "00000000000000000000007"),
                (bytes, begin, end) -> {
                    long value = LongText.parse(bytes, begin, end);
                    assertThat(value).isEqualTo(Long.parseLong(string(bytes, begin, end)));
                    assertThat(segments.parseLong(MemorySegment.ofArray(bytes), begin, end))
                            .isEqualTo(value);
                    return value;
                });
    }

    @Test
    void decimals() {
        SegmentText segments = new SegmentText();
        refusesSome(
                Fuzzer.ofTexts(
                        TextException.class,
                        "0123456789+-.e ",
                        "0",
                        "-1.5",
                        ".25",
                        "7.",
                        "92233720368547758.07",
                        "-92233720368547758.08",
                        "1.230000000000000000000"),
                (bytes, begin, end) -> {
                    long value = DecimalText.parse(bytes, begin, end, 2);
                    assertThat(BigDecimal.valueOf(value, 2))
                            .isEqualByComparingTo(new BigDecimal(string(bytes, begin, end)));
                    assertThat(segments.parseDecimal(MemorySegment.ofArray(bytes), begin, end, 2))
                            .isEqualTo(value);
                    return value;
                });
    }

    @Test
    void doubles() {
        SegmentText segments = new SegmentText();
        refusesSome(
                Fuzzer.ofTexts(
                        TextException.class,
                        "0123456789+-.eE NaInfity",
                        "0",
                        "-1.5",
                        "1e300",
                        "4.9E-324",
                        "1.7976931348623157E308",
                        "0.1000000000000000055511151231257827",
                        "123456789012345678901234567890",
                        "NaN",
                        "-Infinity"),
                (bytes, begin, end) -> {
                    double value = DoubleText.parse(bytes, begin, end);
                    assertThat((Double) value).isEqualTo(Double.valueOf(string(bytes, begin, end)));
                    assertThat((Double) segments.parseDouble(MemorySegment.ofArray(bytes), begin, end))
                            .isEqualTo((Double) value);
                    return value;
                });
    }

    @Test
    void booleansTimestampsAndHexadecimals() {
        SegmentText segments = new SegmentText();
        refusesSome(
                Fuzzer.ofTexts(TextException.class, "truefalsTF ", "true", "false"),
                (bytes, begin, end) -> BooleanText.parse(bytes, begin, end));
        refusesSome(
                Fuzzer.ofTexts(
                        TextException.class,
                        "0123456789-:.TZ+ ",
                        "1970-01-01T00:00:00Z",
                        "2026-11-23T23:59:59.999999999Z",
                        "1677-09-21T00:12:43.145224192Z",
                        "2262-04-11T23:47:16.854775807Z",
                        "2024-02-29T12:00:00.5+02:00"),
                (bytes, begin, end) -> {
                    long value = InstantText.parse(bytes, begin, end);
                    Instant expected = Instant.parse(string(bytes, begin, end));
                    assertThat(Instant.ofEpochSecond(0, value)).isEqualTo(expected);
                    assertThat(segments.parseInstant(MemorySegment.ofArray(bytes), begin, end))
                            .isEqualTo(value);
                    return value;
                });
        refusesSome(
                Fuzzer.ofTexts(TextException.class, "0123456789abcdefABCDEFg -", "0", "ffffffffffffffff", "cafe"),
                (bytes, begin, end) -> {
                    long value = HexText.parse(bytes, begin, end);
                    assertThat(value).isEqualTo(Long.parseUnsignedLong(string(bytes, begin, end), 16));
                    byte[] pairs = new byte[(end - begin) / 2];
                    HexText.parse(bytes, begin + (end - begin & 1), end, pairs, 0);
                    return value;
                });
    }

    @Test
    void csv() {
        Fuzzer fuzzer = Fuzzer.ofTexts(
                TextException.class,
                ",\"\n\r\t;1a\0\377",
                "id,price,name\n1,2.50,a\n2,3.75,\"b,\"\"c\"\"\"\n",
                "\"\r\n\",\n\n,,\r\n",
                "one");
        assertThat(fuzzer.run((bytes, begin, end) -> {
                    List<List<String>> whole = records(CsvReader.of(bytes, begin, end, CsvFormat.RFC_4180));
                    assertThat(records(CsvReader.of(bytewise(bytes, begin, end), CsvFormat.RFC_4180)))
                            .isEqualTo(whole);
                    return whole;
                }))
                .isBetween(0.1, 0.9);
    }

    @Test
    void catchesADecoderThatTrusts() {
        Fuzzer fuzzer = new Fuzzer(DecodeException.class, "\0\1", List.of(new byte[] {3, 0, 0, 0, 1, 2, 3}));
        assertThatThrownBy(() -> fuzzer.run((bytes, begin, end) -> {
                    int length = ByteBuffer.wrap(bytes)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .getInt(begin);
                    return Arrays.toString(Arrays.copyOfRange(bytes, begin + 4, begin + 4 + Math.min(length, 100)));
                }))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> fuzzer.run((bytes, begin, end) -> {
                    if (end - begin < 5) {
                        throw new DecodeException("length", 0, "is cut");
                    }
                    int length = MemorySegment.ofArray(bytes).get(ValueLayout.JAVA_INT_UNALIGNED, begin);
                    return new byte[Math.clamp(length, 0, 1 << 20)].length;
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("allocated");
        assertThatThrownBy(() -> fuzzer.run((bytes, begin, end) -> bytes[begin + 4]))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("around the bytes");
    }

    private static void refusesSome(Fuzzer fuzzer, Fuzzer.Decoder parser) {
        assertThat(fuzzer.run((bytes, begin, end) -> {
                    try {
                        return parser.decode(bytes, begin, end);
                    } catch (TextException e) {
                        assertThat(e.position()).isBetween((long) begin, (long) end);
                        throw e;
                    }
                }))
                .isBetween(0.1, 0.9);
    }

    private static String string(byte[] bytes, int begin, int end) {
        return new String(bytes, begin, end - begin, StandardCharsets.ISO_8859_1);
    }

    private static List<List<String>> records(CsvReader reader) throws IOException {
        List<List<String>> records = new ArrayList<>();
        while (reader.next()) {
            List<String> fields = new ArrayList<>();
            reader.addTo(fields);
            records.add(fields);
        }
        return records;
    }

    /** A channel that gives one byte at a time. */
    private static ReadableByteChannel bytewise(byte[] bytes, int begin, int end) {
        return new ReadableByteChannel() {
            private int at = begin;

            @Override
            public int read(ByteBuffer to) {
                if (at == end) {
                    return -1;
                }
                to.put(bytes[at++]);
                return 1;
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {}
        };
    }
}
