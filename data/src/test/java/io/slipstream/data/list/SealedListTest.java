package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.column.BitColumn;
import io.slipstream.data.column.Block;
import io.slipstream.data.column.DoubleColumn;
import io.slipstream.data.column.LongColumn;
import io.slipstream.data.column.RowSet;
import io.slipstream.data.list.HugeListTest.Everything;
import io.slipstream.data.list.HugeListTest.Side;
import io.slipstream.testkit.Allocations;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A list whose blocks are sealed reads and changes as one whose blocks are not. */
@ParameterizedClass
@EnumSource(ListLayout.class)
class SealedListTest {
    private static final int PER_BLOCK = 256;
    private static final List<String> WHOLE =
            List.of("b", "s", "c", "i", "l", "box", "side", "amount", "mantissa", "at", "took", "day");
    private static final List<String> FRACTIONS = List.of("f", "d");
    private static final List<String> BITS = List.of("flag", "maybe");
    private static final float[] FLOATS = {
        0, -0.0f, Float.NaN, Float.intBitsToFloat(0x7fc0_1234), Float.MAX_VALUE, Float.NEGATIVE_INFINITY, 1 << 24
    };
    private static final double[] DOUBLES = {
        0, -0.0, Double.NaN, Double.longBitsToDouble(0x7ff8_0000_0000_1234L), Double.MIN_VALUE, 1L << 53, -0x1p62
    };

    @TempDir
    Path temp;

    private final ListLayout layout;

    SealedListTest(ListLayout layout) {
        this.layout = layout;
    }

    private HugeListBuilder<Everything> builder() {
        return layout.builder(Everything.class).rowsPerBlock(PER_BLOCK);
    }

    /** Returns an element of a block whose values are all of one kind. */
    private static Everything element(SplittableRandom random, int kind) {
        return switch (kind % 7) {
            case 0 -> random(random);
            case 1 -> whole(7, 3, 3);
            case 2 -> whole(random.nextInt(2), random.nextInt(2) + 5, random.nextInt(2));
            case 3 -> whole(random.nextInt(-100, 100), random.nextLong(-100, 100), random.nextInt(100));
            case 4 -> whole(random.nextInt(-30_000, 30_000), Long.MAX_VALUE - random.nextInt(60_000), 20);
            case 5 -> whole(random.nextInt(), Long.MIN_VALUE + random.nextInt(Integer.MAX_VALUE), random.nextInt(300));
            default -> {
                long[] extremes = {Long.MIN_VALUE, Long.MAX_VALUE, 0, -1};
                int some = random.nextInt(7);
                yield new Everything(
                        true,
                        Byte.MIN_VALUE,
                        random.nextBoolean() ? Short.MIN_VALUE : Short.MAX_VALUE,
                        random.nextBoolean() ? Character.MAX_VALUE : 'a',
                        random.nextBoolean() ? Integer.MIN_VALUE : Integer.MAX_VALUE,
                        extremes[random.nextInt(4)],
                        FLOATS[some],
                        DOUBLES[some],
                        null,
                        null,
                        Side.SELL,
                        "",
                        BigDecimal.valueOf(extremes[random.nextInt(4)], 2),
                        extremes[random.nextInt(4)],
                        Instant.EPOCH,
                        Duration.ofNanos(extremes[random.nextInt(4)]),
                        LocalDate.EPOCH,
                        new UUID(extremes[random.nextInt(4)], 5));
            }
        };
    }

    /** Returns any element that can be written as text. */
    private static Everything random(SplittableRandom random) {
        Everything element = HugeListTest.random(random);
        while (Character.isSurrogate(element.c())) {
            element = HugeListTest.random(random);
        }
        return element;
    }

    private static Everything whole(int i, long l, int text) {
        return new Everything(
                (i & 1) == 1,
                (byte) i,
                (short) i,
                (char) (i & 0x7fff),
                i,
                l,
                i,
                i,
                (i & 1) == 1 ? null : (Integer) i,
                (i & 1) == 1,
                Side.BUY,
                "text " + text,
                BigDecimal.valueOf(l, 2),
                l,
                Instant.ofEpochSecond(i, 5),
                Duration.ofNanos(l),
                LocalDate.ofEpochDay(i % 10_000),
                new UUID(l, i));
    }

    private static void add(List<Everything> model, HugeList<Everything> list, SplittableRandom random, int count) {
        for (int i = 0; i < count; i++) {
            Everything element = element(random, model.size() / PER_BLOCK);
            model.add(element);
            list.add(element);
        }
    }

    /** Compares all that can be read with a list that is never sealed. */
    private void assertReadsAs(HugeList<Everything> list, List<Everything> model) throws IOException {
        assertThat(list.asList()).isEqualTo(model);
        assertThat(list.stream().toList()).isEqualTo(model);
        try (HugeList<Everything> plain = builder().inMemory()) {
            model.forEach(plain::add);
            for (String field : WHOLE) {
                assertSameNumbers(field, list.longs(field), plain.longs(field));
            }
            for (String field : FRACTIONS) {
                assertSameFractions(field, list.doubles(field), plain.doubles(field));
            }
            for (String field : BITS) {
                BitColumn bits = list.booleans(field);
                BitColumn wanted = plain.booleans(field);
                assertThat(bits.count()).as(field).isEqualTo(wanted.count());
                assertSame(field, bits.where(), wanted.where());
                assertSame(field, bits.whereNot(), wanted.whereNot());
            }
            assertThat(list.longs("i").groupBy(list.longs("side")).sum(0))
                    .isEqualTo(plain.longs("i").groupBy(plain.longs("side")).sum(0));
            assertSame("text", list.whereText("text", "text 3"), plain.whereText("text", "text 3"));
            assertThat(written(list).equals(written(plain))).as("CSV and Arrow").isTrue();
        }
    }

    private static void assertSameNumbers(String field, LongColumn column, LongColumn wanted) {
        assertThat(column.count()).as(field).isEqualTo(wanted.count());
        assertThat(column.sum()).as(field).isEqualTo(wanted.sum());
        assertThat(column.sortedRows()).as(field).isEqualTo(wanted.sortedRows());
        if (wanted.count() > 0) {
            assertThat(column.min()).as(field).isEqualTo(wanted.min());
            assertThat(column.max()).as(field).isEqualTo(wanted.max());
        }
        for (long row = 0; row < wanted.rows(); row += 37) {
            assertThat(column.get(row)).as(field).isEqualTo(wanted.get(row));
        }
        long[] bounds = LongStream.concat(
                        LongStream.of(Long.MIN_VALUE, Long.MAX_VALUE, -1, 0, 1, 5, 6, 7, 255, 256, 1L << 31),
                        LongStream.iterate(0, row -> row < wanted.rows(), row -> row + 97)
                                .map(wanted::get))
                .toArray();
        for (long low : bounds) {
            for (long high : bounds) {
                assertThat(column.countBetween(low, high))
                        .as("%s from %s to %s", field, low, high)
                        .isEqualTo(wanted.countBetween(low, high));
            }
        }
        assertSame(field, column.whereBetween(-50, 50), wanted.whereBetween(-50, 50));
    }

    private static void assertSameFractions(String field, DoubleColumn column, DoubleColumn wanted) {
        assertThat(column.sum()).as(field).isEqualTo((Double) wanted.sum());
        assertThat(column.sortedRows()).as(field).isEqualTo(wanted.sortedRows());
        assertThat(column.countBetween(-10, 0.5)).as(field).isEqualTo(wanted.countBetween(-10, 0.5));
        for (long row = 0; row < wanted.rows(); row++) {
            assertThat(Double.doubleToRawLongBits(column.get(row)))
                    .as("%s of %s", field, row)
                    .isEqualTo(Double.doubleToRawLongBits(wanted.get(row)));
        }
        if (wanted.count() > 0) {
            assertThat(column.min()).as(field).isEqualTo((Double) wanted.min());
            assertThat(column.max()).as(field).isEqualTo((Double) wanted.max());
        }
    }

    private static void assertSame(String field, RowSet rows, RowSet wanted) {
        assertThat(rows.rows()).isEqualTo(wanted.rows());
        assertThat(rows.count()).as(field).isEqualTo(wanted.count());
        assertThat(rows.or(wanted).count()).as(field).isEqualTo(wanted.count());
    }

    private static List<String> written(HugeList<Everything> list) throws IOException {
        ByteArrayOutputStream csv = new ByteArrayOutputStream();
        ListCsv.write(list, csv);
        ByteArrayOutputStream arrow = new ByteArrayOutputStream();
        ListArrow.writeFile(list, arrow);
        return List.of(csv.toString(StandardCharsets.UTF_8), HexFormat.of().formatHex(arrow.toByteArray()));
    }

    @Test
    void readsInMemoryAsBefore() throws IOException {
        SplittableRandom random = new SplittableRandom(9);
        List<Everything> model = new ArrayList<>();
        try (HugeList<Everything> list = builder().inMemory()) {
            assertThat(list.seal()).isZero();
            add(model, list, random, 7 * PER_BLOCK + 100);
            long before = list.memoryBytes();
            // One block is random throughout, and does not get smaller by much.
            assertThat(list.seal()).isBetween(6, 7);
            assertThat(list.memoryBytes()).isLessThan(before);
            assertReadsAs(list, model);
            assertThat(list.seal()).isZero();
            add(model, list, random, 3 * PER_BLOCK);
            assertThat(list.seal()).isPositive();
            assertReadsAs(list, model);
        }
    }

    @Test
    void aChangedRowUnsealsItsBlockAndKeepsTheOthers() throws IOException {
        SplittableRandom random = new SplittableRandom(10);
        List<Everything> model = new ArrayList<>();
        try (HugeList<Everything> list = builder().inMemory()) {
            add(model, list, random, 4 * PER_BLOCK);
            list.seal();
            long sealed = list.memoryBytes();
            for (int row : new int[] {PER_BLOCK, PER_BLOCK + 1, 3 * PER_BLOCK + 9}) {
                Everything element = random(random);
                list.set(row, element);
                model.set(row, element);
            }
            assertThat(list.memoryBytes()).isGreaterThan(sealed);
            assertReadsAs(list, model);
            assertThat(list.seal()).isPositive();
            assertReadsAs(list, model);
        }
    }

    @Test
    void agreesWithAModelThroughAllChanges() throws IOException {
        Path folder = temp.resolve("changes");
        try (HugeList<Everything> inMemory = builder().inMemory()) {
            change(inMemory, null);
        }
        change(builder().create(folder), folder);
    }

    private void change(HugeList<Everything> first, Path folder) throws IOException {
        HugeList<Everything> list = first;
        SplittableRandom random = new SplittableRandom(11);
        List<Everything> model = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            switch (random.nextInt(8)) {
                case 0, 1 -> list.seal();
                case 2, 3 -> add(model, list, random, random.nextInt(2 * PER_BLOCK));
                case 4 -> {
                    for (int n = random.nextInt(3); n > 0 && !model.isEmpty(); n--) {
                        int row = random.nextInt(model.size());
                        Everything element = random(random);
                        list.set(row, element);
                        model.set(row, element);
                    }
                }
                case 5 -> {
                    int size = random.nextInt(model.size() / 2, model.size() + 1);
                    list.truncate(size);
                    model.subList(size, model.size()).clear();
                }
                case 6 -> {
                    int limit = random.nextInt(1, 50);
                    try (Removal<Everything> removal = list.removal(element -> element.b() % 50 == limit)) {
                        removal.step(random.nextInt(1, 300));
                        list.seal();
                        removal.finish();
                    }
                    model.removeIf(element -> element.b() % 50 == limit);
                }
                default -> {
                    if (folder != null) {
                        list.commit();
                        if (random.nextBoolean()) {
                            list.close();
                            list = builder().open(folder);
                        }
                        try (HugeList<Everything> reader = builder().openReadOnly(folder)) {
                            reader.verify();
                            assertThat(reader.asList()).isEqualTo(model);
                        }
                    }
                }
            }
            assertThat(list.asList()).as("after change %s", i).isEqualTo(model);
        }
        assertReadsAs(list, model);
        list.close();
    }

    @Test
    void aCursorThatStandsInABlockGoesOnWhenItIsSealedAndUnsealed() throws IOException {
        try (HugeList<HugeListTest.Trade> list =
                layout.builder(HugeListTest.Trade.class).rowsPerBlock(64).inMemory()) {
            for (int i = 0; i < 64; i++) {
                list.append().id(i).symbol("S").setQuantity(2 * i);
            }
            HugeListTest.Trade last = list.append();
            last.id(64);
            Cursor<HugeListTest.Trade> cursor = list.cursor().moveTo(9);
            HugeListTest.Trade view = list.get(10);
            assertThat(list.seal()).isOne();
            assertThat(cursor.element().id()).isEqualTo(9);
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.element().getQuantity()).isEqualTo(20);
            view.setQuantity(21);
            assertThat(cursor.element().getQuantity()).isEqualTo(21);
            assertThat(cursor.element().symbol()).isEqualTo("S");
            last.setQuantity(3);
            assertThat(list.get(64).getQuantity()).isEqualTo(3);
            assertThat(list.seal()).isOne();
            assertThat(view.getQuantity()).isEqualTo(21);
        }
    }

    @Test
    void theOwnerReadsWhatItHasChangedWhoeverKeepsTheFormerMemory() throws IOException {
        try (HugeList<HugeListTest.Trade> list =
                layout.builder(HugeListTest.Trade.class).rowsPerBlock(64).inMemory()) {
            for (int i = 0; i < 64; i++) {
                list.append().id(i).setQuantity(i);
            }
            Cursor<HugeListTest.Trade> moves = list.cursor().moveTo(8);
            Block plain = list.table().pinned(0);
            assertThat(list.seal()).isOne();
            list.get(9).setQuantity(100);
            assertThat(moves.next()).isTrue();
            assertThat(moves.element().getQuantity()).isEqualTo(100);
            assertThat(list.seal()).isOne();
            Cursor<HugeListTest.Trade> stays = list.cursor().moveTo(9);
            assertThat(moves.next()).isTrue();
            Block sealed = list.table().pinned(0);
            list.get(9).setQuantity(200);
            list.get(10).setQuantity(300);
            assertThat(stays.element().getQuantity()).isEqualTo(200);
            assertThat(moves.element().getQuantity()).isEqualTo(300);
            plain.unpin();
            sealed.unpin();
            assertThat(list.longs("quantity").sum()).isEqualTo(63 * 32 + 191 + 290);
        }
    }

    @Test
    void theLastAppendedElementOfASealedBlockCanStillBeFilledIn() throws IOException {
        try (HugeList<HugeListTest.Trade> list =
                layout.builder(HugeListTest.Trade.class).rowsPerBlock(64).inMemory()) {
            HugeListTest.Trade trade = list.append();
            for (int i = 1; i < 64; i++) {
                trade = list.append();
            }
            assertThat(list.seal()).isOne();
            trade.id(77);
            assertThat(list.get(63).id()).isEqualTo(77);
            list.append().id(5);
            assertThat(list.longs("id").sum()).isEqualTo(82);
        }
    }

    @Test
    void aRowThatARemovalHoldsIsNotSealedNorChanged() throws IOException {
        List<Everything> model = new ArrayList<>();
        try (HugeList<Everything> list = builder().inMemory()) {
            add(model, list, new SplittableRandom(3), 4 * PER_BLOCK);
            try (Removal<Everything> removal = list.removal(element -> element.b() == 7)) {
                removal.step(PER_BLOCK + 1);
                assertThat(list.seal()).isEqualTo(2);
                removal.step(PER_BLOCK);
                assertThatThrownBy(() -> list.set(2 * PER_BLOCK, model.getFirst()))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("a removal has passed this row");
                list.set(3 * PER_BLOCK - 1, model.getFirst());
                model.set(3 * PER_BLOCK - 1, model.getFirst());
                removal.finish();
            }
            model.removeIf(element -> element.b() == 7);
            assertReadsAs(list, model);
        }
    }

    @Test
    void readingASealedListAllocatesNothing() throws Exception {
        try (HugeList<HugeListTest.Trade> list =
                layout.builder(HugeListTest.Trade.class).rowsPerBlock(1024).inMemory()) {
            for (int i = 0; i < 10_240; i++) {
                list.append().id(i).symbol("S" + i % 3).setQuantity(i);
            }
            list.seal();
            Cursor<HugeListTest.Trade> cursor = list.cursor();
            LongColumn ids = list.longs("id");
            long[] sum = new long[1];
            Allocations.none(() -> {
                for (int i = 0; i < 10_240; i++) {
                    HugeListTest.Trade trade = cursor.moveTo(i).element();
                    sum[0] += trade.id() + trade.getQuantity() + trade.symbol().length();
                }
                sum[0] += ids.sum() + ids.min() + ids.max() + ids.countBetween(5, 500);
            });
            assertThat(sum[0]).isPositive();
        }
    }

    @Test
    void filesAreSealedAndOpenSealed() throws IOException {
        Path folder = temp.resolve("files");
        List<Everything> model = new ArrayList<>();
        long sealed;
        try (HugeList<Everything> list = builder().create(folder)) {
            add(model, list, new SplittableRandom(4), 5 * PER_BLOCK + 7);
            list.seal();
            sealed = list.memoryBytes();
        }
        assertThat(names(folder)).contains("block-1.sealed", "block-5").doesNotContain("block-1", "block-5.sealed");
        assertThat(version(folder)).isEqualTo(5);
        try (HugeList<Everything> list = builder().open(folder);
                HugeList<Everything> reader = builder().openReadOnly(folder)) {
            list.verify();
            assertThat(list.memoryBytes()).isEqualTo(sealed);
            assertReadsAs(list, model);
            assertReadsAs(reader, model);
            assertThatThrownBy(() -> reader.set(3, model.getFirst())).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(reader::seal).isInstanceOf(IllegalStateException.class);
            for (int block = 0; block < 5; block++) {
                list.set((long) block * PER_BLOCK, model.getFirst());
            }
            // The last commit has the block sealed.
            assertThat(names(folder)).contains("block-1.sealed", "block-1");
            list.commit();
            assertThat(names(folder)).contains("block-1").doesNotContain("block-1.sealed");
            assertThat(version(folder)).isEqualTo(layout == ListLayout.ROWS ? 4 : 2);
            assertReadsAs(reader, model);
        }
    }

    @Test
    void whatWasNotCommittedAfterSealingIsAsBefore() throws IOException {
        Path folder = temp.resolve("uncommitted");
        List<Everything> model = new ArrayList<>();
        try (HugeList<Everything> list = builder().create(folder)) {
            add(model, list, new SplittableRandom(5), 3 * PER_BLOCK);
            list.seal();
            list.set(PER_BLOCK, model.getFirst());
            list.seal();
            list.set(PER_BLOCK, model.get(PER_BLOCK));
            list.set(PER_BLOCK + 1, model.getFirst());
        }
        model.set(PER_BLOCK, model.getFirst());
        try (HugeList<Everything> list = builder().open(folder)) {
            assertThat(names(folder)).contains("block-1.sealed").doesNotContain("block-1");
            assertReadsAs(list, model);
        }
    }

    @Test
    void aBlockThatIsSealedAndNotCommittedGoesBackToItsFormerFile() throws IOException {
        Path folder = temp.resolve("former");
        List<Everything> model = new ArrayList<>();
        try (HugeList<Everything> list = builder().create(folder)) {
            add(model, list, new SplittableRandom(12), 3 * PER_BLOCK);
            list.commit();
            // As after a commit of seal() that has failed.
            assertThat(list.table().seal(1)).isTrue();
            assertThat(list.table().seal(2)).isTrue();
            list.set(PER_BLOCK, model.getFirst());
        }
        assertThat(names(folder)).contains("block-1", "block-1.sealed");
        try (HugeList<Everything> list = builder().open(folder)) {
            assertThat(names(folder)).contains("block-1").doesNotContain("block-1.sealed", "block-2.sealed");
            list.verify();
            assertThat(list.get(PER_BLOCK)).isIn(model.get(PER_BLOCK), model.getFirst());
            list.table().seal(1);
            list.set(PER_BLOCK, model.getFirst());
            model.set(PER_BLOCK, model.getFirst());
            assertThat(list.seal()).isPositive();
            assertReadsAs(list, model);
        }
        try (HugeList<Everything> list = builder().open(folder)) {
            assertReadsAs(list, model);
        }
    }

    @Test
    void aReaderOfAnotherProcessKeepsWhatItHasOpened() throws IOException {
        Path folder = temp.resolve("reader");
        List<Everything> model = new ArrayList<>();
        try (HugeList<Everything> list = builder().create(folder)) {
            add(model, list, new SplittableRandom(6), 4 * PER_BLOCK);
            list.commit();
            try (HugeList<Everything> early = builder().openReadOnly(folder)) {
                list.set(PER_BLOCK, model.getFirst());
                list.commit();
                try (HugeList<Everything> reader = builder().openReadOnly(folder)) {
                    list.seal();
                    list.set(PER_BLOCK + 1, model.getFirst());
                    list.commit();
                    model.set(PER_BLOCK, model.getFirst());
                    reader.verify();
                    assertReadsAs(reader, model);
                    assertReadsAs(early, model);
                }
            }
        }
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private static int version(Path folder) throws IOException {
        return Files.readAllBytes(folder.resolve("commit"))[11];
    }

    @Test
    void eachByteOfASealedFileThatIsWrongIsRefused() throws IOException {
        Path folder = temp.resolve("damaged");
        try (HugeList<Everything> list = builder().create(folder)) {
            add(new ArrayList<>(), list, new SplittableRandom(8), 4 * PER_BLOCK);
            list.seal();
        }
        Path file = folder.resolve("block-3.sealed");
        byte[] whole = Files.readAllBytes(file);
        Random random = new Random(2);
        for (int at = 0; at < whole.length; at += at < 512 ? 1 : random.nextInt(1, 300)) {
            byte[] wrong = whole.clone();
            wrong[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, wrong);
            assertRefused(folder, "byte " + at);
        }
        for (int length : new int[] {0, 1, 63, 64, 70, 500, whole.length - 1, whole.length + 64}) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertRefused(folder, "length " + length);
        }
        Files.write(file, whole);
        builder().open(folder).close();
        Files.delete(file);
        assertThatThrownBy(() -> builder().open(folder)).isInstanceOf(IOException.class);
    }

    private void assertRefused(Path folder, String what) {
        assertThatThrownBy(() -> {
                    try (HugeList<Everything> list = builder().open(folder)) {
                        list.verify();
                    }
                })
                .as(what)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("block-3.sealed");
        assertThatThrownBy(() -> {
                    try (HugeList<Everything> list = builder().openReadOnly(folder)) {
                        list.longs("i").sum();
                    }
                })
                .as(what)
                .isInstanceOfAny(IOException.class, UncheckedIOException.class)
                .hasMessageContaining("block-3.sealed");
    }

    @Test
    void takesAFractionOfTheMemoryWhereValuesAreNear() throws IOException {
        try (HugeList<HugeListTest.Trade> list =
                layout.builder(HugeListTest.Trade.class).rowsPerBlock(4096).inMemory()) {
            for (int i = 0; i < 40_960; i++) {
                list.append().id(i).symbol("S" + i % 3).side(Side.BUY).setQuantity(i % 100);
            }
            list.seal();
            // Two bytes for the id, one for the quantity, one for the text; nothing for what is constant.
            assertThat(list.memoryBytes() / 40_960.0).isBetween(4.0, 4.3);
        }
    }
}
