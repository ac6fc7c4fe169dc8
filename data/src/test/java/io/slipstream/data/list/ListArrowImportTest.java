package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.annotation.Optional;
import io.slipstream.data.annotation.Scale;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a list has written as Arrow, and what other tools write, becomes elements; what does not fit is refused. */
class ListArrowImportTest {
    @TempDir
    Path folder;

    private static byte[] written(HugeList<?> list, boolean isFile, int batchRows) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ListArrow.write(list, Channels.newChannel(out), isFile, batchRows, 1 << 20);
        return out.toByteArray();
    }

    private static long read(HugeList<?> list, byte[] arrow) throws IOException {
        return ListArrow.read(list, new ByteArrayInputStream(arrow));
    }

    /** Reads what is in a file. */
    private long readFile(HugeList<?> list, byte[] arrow) throws IOException {
        return ListArrow.read(list, Files.write(folder.resolve("read.arrow"), arrow));
    }

    private static byte[] golden() throws IOException {
        try (InputStream in = Objects.requireNonNull(
                ListArrowTest.class.getResourceAsStream("/io/slipstream/data/golden/arrow-1.arrow"))) {
            return in.readAllBytes();
        }
    }

    @Test
    void whatAListHasWrittenBecomesTheSameElements() throws IOException {
        for (ListLayout layout : ListLayout.values()) {
            for (int size : new int[] {0, 1, 300}) {
                becomesTheSameElements(layout, size, true);
                becomesTheSameElements(layout, size, false);
            }
        }
    }

    private void becomesTheSameElements(ListLayout layout, int size, boolean isFile) throws IOException {
        try (HugeList<ListArrowTest.All> list = ListArrowTest.list(layout, size, 128);
                HugeList<ListArrowTest.All> again = layout.of(ListArrowTest.All.class)) {
            assertThat(read(again, written(list, isFile, 50))).isEqualTo(size);
            assertThat(again.asList()).isEqualTo(list.asList());
            assertThat(readFile(again, written(list, isFile, 100))).isEqualTo(size);
            assertThat(again.asList().subList(size, 2 * size)).isEqualTo(list.asList());
        }
    }

    /** The file of the golden vector. */
    @Test
    void whatPyarrowHasWrittenBecomesTheSameElements() throws IOException {
        try (HugeList<ListArrowTest.All> list = ListArrowTest.list(ListLayout.COLUMNS, 10, 64);
                HugeList<ListArrowTest.All> again = HugeList.of(ListArrowTest.All.class)) {
            assertThat(read(again, golden())).isEqualTo(10);
            assertThat(again.asList()).isEqualTo(list.asList());
        }
    }

    enum Side {
        BUY,
        SELL
    }

    record Leg(long ratio, String note) {}

    record Row(
            long id,
            String text,
            @Optional @Nullable Side side,
            @Scale(2) BigDecimal price,
            Instant at,
            LocalDate day,
            Duration took,
            double real,
            @Optional @Nullable Leg leg) {
        static Row of(int i) {
            return new Row(
                    i,
                    i % 3 != 0 ? "text " + i % 50 + " €" : "a longer text, number " + i,
                    i % 7 == 0 ? null : i % 2 == 0 ? Side.BUY : Side.SELL,
                    BigDecimal.valueOf(10L * i, 2),
                    Instant.parse("2026-01-01T00:00:00Z").plusNanos(1_000L * i),
                    LocalDate.of(2026, 1, 1).plusDays(i),
                    Duration.ofMillis(-i),
                    i / 4.0,
                    i % 5 == 0 ? null : new Leg(i, "n" + i));
        }
    }

    record Brief(long id, Side side, String text) {}

    @Test
    void whatOtherToolsWriteBecomesElementsInWhicheverForm() throws Exception {
        ListArrowTest.python("others", folder, folder);
        List<Row> rows = IntStream.range(0, 1000).mapToObj(Row::of).toList();
        for (String name : List.of("plain", "other", "views", "polars")) {
            Path file = folder.resolve(name + ".arrow");
            try (HugeList<Row> list = HugeList.builder(Row.class).identity("id").inMemory()) {
                assertThat(ListArrow.read(list, file)).as(name).isEqualTo(1000);
                assertThat(list.asList()).as(name).isEqualTo(rows);
            }
            try (HugeList<Row> list = HugeList.of(Row.class);
                    InputStream in = Files.newInputStream(file)) {
                if (name.equals("polars")) {
                    assertThatThrownBy(() -> ListArrow.read(list, in))
                            .isInstanceOf(IOException.class)
                            .hasMessageContaining("read it by its path");
                } else {
                    assertThat(ListArrow.read(list, in)).as(name).isEqualTo(1000);
                    assertThat(list.asList()).as(name).isEqualTo(rows);
                }
            }
        }
        try (HugeList<Brief> list = HugeList.of(Brief.class)) {
            assertThat(ListArrow.read(list, folder.resolve("delta.arrows"))).isEqualTo(1000);
            assertThat(list.get(3)).isEqualTo(new Brief(3, Side.BUY, "t3"));
            assertThat(list.get(11)).isEqualTo(new Brief(11, Side.SELL, "t11"));
            assertThat(list.get(999)).isEqualTo(new Brief(999, Side.SELL, "t999"));
        }
        for (String name : List.of("lz4.feather", "zstd.arrow")) {
            try (HugeList<Row> list = HugeList.of(Row.class)) {
                assertThatThrownBy(() -> ListArrow.read(list, folder.resolve(name)))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("is compressed, by " + (name.startsWith("lz4") ? "LZ4" : "ZSTD"))
                        .hasMessageContaining("uncompressed");
                assertThat(list.size()).isZero();
            }
        }
    }

    record OfLong(long a) {}

    record OfInt(int a) {}

    record OfShort(short a) {}

    record OfByte(byte a) {}

    record OfChar(char a) {}

    record OfBool(boolean a) {}

    record OfFloat(float a) {}

    record OfDouble(double a) {}

    record OfPrice(@Scale(2) BigDecimal a) {}

    record OfFine(@Scale(4) BigDecimal a) {}

    record OfText(String a) {}

    record OfSide(Side a) {}

    record OfInstant(Instant a) {}

    record OfDuration(Duration a) {}

    record OfDate(LocalDate a) {}

    record OfUuid(UUID a) {}

    record OfLeg(Leg a) {}

    private static <T> byte[] one(Class<T> type, T element) throws IOException {
        try (HugeList<T> list = HugeList.of(type)) {
            list.add(element);
            return written(list, true, 10);
        }
    }

    private static List<byte[]> oneOfEach() throws IOException {
        return List.of(
                one(OfLong.class, new OfLong(1)),
                one(OfInt.class, new OfInt(1)),
                one(OfShort.class, new OfShort((short) 1)),
                one(OfByte.class, new OfByte((byte) 1)),
                one(OfChar.class, new OfChar('a')),
                one(OfBool.class, new OfBool(true)),
                one(OfFloat.class, new OfFloat(1)),
                one(OfDouble.class, new OfDouble(1)),
                one(OfPrice.class, new OfPrice(new BigDecimal("1.00"))),
                one(OfFine.class, new OfFine(new BigDecimal("1.0000"))),
                one(OfText.class, new OfText("BUY")),
                one(OfSide.class, new OfSide(Side.BUY)),
                one(OfInstant.class, new OfInstant(Instant.EPOCH)),
                one(OfDuration.class, new OfDuration(Duration.ZERO)),
                one(OfDate.class, new OfDate(LocalDate.EPOCH)),
                one(OfUuid.class, new OfUuid(new UUID(1, 2))),
                one(OfLeg.class, new OfLeg(new Leg(1, ""))));
    }

    /** Says which of the columns of one of each a list of this type takes; all else is refused before it is added. */
    private static String taken(Class<?> type) throws IOException {
        StringBuilder taken = new StringBuilder();
        for (byte[] arrow : oneOfEach()) {
            try (HugeList<?> list = HugeList.of(type)) {
                try {
                    assertThat(read(list, arrow)).isEqualTo(1);
                    taken.append('x');
                } catch (IllegalArgumentException e) {
                    assertThat(e)
                            .hasMessageContaining("column 'a' is ")
                            .hasMessageContaining(", but the field is ")
                            .hasMessageContaining("cast it before it is written");
                    assertThat(list.size()).isZero();
                    taken.append('.');
                }
            }
        }
        return taken.toString();
    }

    @Test
    void aFieldTakesWhatLosesNothing() throws IOException {
        assertThat(taken(OfLong.class)).isEqualTo("xxxxx............");
        assertThat(taken(OfInt.class)).isEqualTo(".xxxx............");
        assertThat(taken(OfShort.class)).isEqualTo("..xx.............");
        assertThat(taken(OfByte.class)).isEqualTo("...x.............");
        assertThat(taken(OfChar.class)).isEqualTo("....x............");
        assertThat(taken(OfBool.class)).isEqualTo(".....x...........");
        assertThat(taken(OfFloat.class)).isEqualTo("......x..........");
        assertThat(taken(OfDouble.class)).isEqualTo("......xx.........");
        assertThat(taken(OfPrice.class)).isEqualTo("........x........");
        assertThat(taken(OfFine.class)).isEqualTo("........xx.......");
        assertThat(taken(OfText.class)).isEqualTo("..........xx.....");
        assertThat(taken(OfSide.class)).isEqualTo("..........xx.....");
        assertThat(taken(OfInstant.class)).isEqualTo("............x....");
        assertThat(taken(OfDuration.class)).isEqualTo(".............x...");
        assertThat(taken(OfDate.class)).isEqualTo("..............x..");
        assertThat(taken(OfUuid.class)).isEqualTo("...............x.");
        assertThat(taken(OfLeg.class)).isEqualTo("................x");
    }

    record Two(long a, @Nullable Integer b, String c) {}

    record Other(long a, double d) {}

    record Nested(@Optional @Nullable Leg leg) {}

    record OtherLeg(long ratio, String remark) {}

    record OtherNested(@Optional @Nullable OtherLeg leg) {}

    @Test
    void columnsAreFoundByTheirNames() throws IOException {
        try (HugeList<Two> list = HugeList.of(Two.class)) {
            read(list, one(OfLong.class, new OfLong(7)));
            assertThat(list.get(0)).isEqualTo(new Two(7, null, ""));
            assertThatThrownBy(() -> read(list, one(Other.class, new Other(1, 1))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("there is a column 'd', but Two has [a, b, c]");
            assertThatThrownBy(() -> read(list, one(Nested.class, new Nested(null))))
                    .hasMessageContaining("there is a column 'leg'");
            assertThat(list.size()).isEqualTo(1);
        }
        try (HugeList<Other> list = HugeList.of(Other.class)) {
            assertThatThrownBy(() -> read(list, one(OfLong.class, new OfLong(7))))
                    .hasMessage("there is no column 'd', which is not optional");
        }
        try (HugeList<Two> list = HugeList.builder(Two.class).identity("c").inMemory()) {
            assertThatThrownBy(() -> read(list, one(OfLong.class, new OfLong(7))))
                    .hasMessage("there is no column 'c', which is not optional");
        }
        try (HugeList<OtherNested> list = HugeList.of(OtherNested.class)) {
            assertThatThrownBy(() -> read(list, one(Nested.class, new Nested(new Leg(1, "")))))
                    .hasMessage("there is a column 'leg.note', but OtherNested has [leg.ratio, leg.remark]");
        }
    }

    record Box(@Nullable Long a) {}

    @Test
    void aRowThatDoesNotFitIsNamedAndThoseBeforeItStay() throws IOException {
        byte[] arrow;
        try (HugeList<Box> boxes = HugeList.of(Box.class)) {
            for (long i = 0; i < 100; i++) {
                boxes.add(new Box(i == 70 ? null : (Long) (i % 90)));
            }
            arrow = written(boxes, false, 32);
        }
        try (HugeList<OfLong> list = HugeList.of(OfLong.class)) {
            assertThatThrownBy(() -> read(list, arrow))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("row 70, column 'a': it is null, and the field is not optional");
            assertThat(list.size()).isEqualTo(70);
        }
        try (HugeList<OfSide> list = HugeList.of(OfSide.class)) {
            assertThatThrownBy(() -> read(list, one(OfText.class, new OfText("HOLD"))))
                    .hasMessage("row 0, column 'a': 'HOLD' is no constant of Side");
        }
        try (HugeList<OfLong> list =
                HugeList.builder(OfLong.class).identity("a").inMemory()) {
            read(list, one(OfLong.class, new OfLong(7)));
            assertThatThrownBy(() -> read(list, one(OfLong.class, new OfLong(7))))
                    .hasMessageContaining("row 0, column 'a': ")
                    .hasMessageContaining("has the identity 7 already");
        }
        try (HugeList<OfFine> list = HugeList.of(OfFine.class)) {
            assertThatThrownBy(() -> read(list, one(OfPrice.class, new OfPrice(BigDecimal.valueOf(Long.MAX_VALUE, 2)))))
                    .hasMessageContaining("row 0, column 'a': ")
                    .hasMessageContaining("does not fit its column");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a,b\r\n1,2\r\n", "PAR1 and more", "FEA1 and more", "ARROW1", "ARROW1\0\0"})
    void whatIsNoArrowIsRefused(String text) throws IOException {
        try (HugeList<OfLong> list = HugeList.of(OfLong.class)) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            assertThatThrownBy(() -> readFile(list, bytes)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> read(list, bytes))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(
                            text.startsWith("PAR1")
                                    ? "this is a file of Parquet"
                                    : text.startsWith("FEA1")
                                            ? "version 1 of Feather"
                                            : text.startsWith("ARROW1") ? "no schema" : "this is neither a file nor");
        }
    }

    @Test
    void aFileThatIsCutOffIsRefused() throws IOException {
        byte[] file = golden();
        int end = new String(file, StandardCharsets.ISO_8859_1).indexOf("\377\377\377\377\0\0\0\0");
        for (int length = 0; length < end + 8; length += 61) {
            byte[] cut = Arrays.copyOf(file, length);
            try (HugeList<ListArrowTest.All> list = HugeList.of(ListArrowTest.All.class)) {
                assertThatThrownBy(() -> read(list, cut)).isInstanceOf(IOException.class);
                assertThatThrownBy(() -> readFile(list, cut)).isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void damagedBytesGiveValuesOrAreRefused() throws IOException {
        byte[] file = golden();
        Random random = new Random(39);
        int refused = 0;
        for (int i = 0; i < 3_000; i++) {
            byte[] damaged = file.clone();
            for (int j = random.nextInt(3); j >= 0; j--) {
                // Half of them where the metadata is.
                int at = random.nextInt(random.nextBoolean() ? 4_000 : damaged.length);
                at = random.nextInt(3) == 0 ? damaged.length - 1 - at / 2 : at;
                damaged[at] = (byte) (random.nextBoolean() ? random.nextInt() : damaged[at] ^ 1 << random.nextInt(8));
            }
            try (HugeList<ListArrowTest.All> list =
                    HugeList.builder(ListArrowTest.All.class).rowsPerBlock(64).inMemory()) {
                assertThat(i % 4 == 0 ? readFile(list, damaged) : read(list, damaged))
                        .isLessThanOrEqualTo(10_000);
            } catch (IOException | IllegalArgumentException e) {
                refused++;
            }
        }
        assertThat(refused).isBetween(1, 2_999);
    }
}
