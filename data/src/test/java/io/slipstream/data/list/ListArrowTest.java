package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.annotation.Optional;
import io.slipstream.data.annotation.Scale;
import io.slipstream.testkit.ChildJvm;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.Character.UnicodeScript;
import java.math.BigDecimal;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a list writes as Arrow has its values, to pyarrow, Polars and DuckDB. */
@ParameterizedClass
@EnumSource(ListLayout.class)
class ListArrowTest {
    private static final int NOT_INSTALLED = 77;

    enum Side {
        BUY,
        SELL
    }

    record Point(double x, @Nullable Double y) {}

    record Leg(long ratio, String note, @Optional @Nullable String more, Side side, Point at) {}

    record All(
            long id,
            boolean flag,
            byte small,
            short medium,
            char letter,
            int number,
            float real,
            double wide,
            @Scale(2) BigDecimal price,
            Side side,
            UnicodeScript script,
            Instant at,
            Duration took,
            LocalDate day,
            UUID key,
            String text,
            @Nullable Boolean maybeFlag,
            @Nullable Byte maybeSmall,
            @Nullable Integer maybeNumber,
            @Nullable Float maybeReal,
            @Optional @Scale(18) @Nullable BigDecimal maybePrice,
            @Optional @Nullable Side maybeSide,
            @Optional @Nullable UnicodeScript maybeScript,
            @Optional @Nullable Instant maybeAt,
            @Optional @Nullable UUID maybeKey,
            @Optional @Nullable String maybeText,
            Leg leg,
            @Optional @Nullable Leg maybeLeg) {}

    @TempDir
    Path folder;

    private final ListLayout layout;

    ListArrowTest(ListLayout layout) {
        this.layout = layout;
    }

    /** Returns an element of any values, with nulls. */
    private static All any(SplittableRandom random, long id) {
        return new All(
                id,
                random.nextBoolean(),
                (byte) random.nextInt(),
                (short) random.nextInt(),
                (char) random.nextInt(' ', 0xd800),
                random.nextInt(),
                (float) random.nextDouble(-1e9, 1e9),
                random.nextDouble(-1e100, 1e100),
                BigDecimal.valueOf(random.nextLong(), 2),
                oneOf(random, Side.values()),
                oneOf(random, UnicodeScript.values()),
                Instant.ofEpochSecond(random.nextLong(-9_000_000_000L, 9_000_000_000L), random.nextInt(1_000_000_000)),
                Duration.ofNanos(random.nextLong()),
                LocalDate.ofEpochDay(random.nextInt(-700_000, 2_900_000)),
                new UUID(random.nextLong(), random.nextLong()),
                text(random),
                maybe(random, random.nextBoolean()),
                maybe(random, (byte) random.nextInt()),
                maybe(random, random.nextInt()),
                maybe(random, (float) random.nextDouble()),
                maybe(random, BigDecimal.valueOf(random.nextLong(), 18)),
                maybe(random, oneOf(random, Side.values())),
                maybe(random, oneOf(random, UnicodeScript.values())),
                maybe(random, Instant.ofEpochSecond(0, random.nextLong())),
                maybe(random, new UUID(random.nextLong(), random.nextLong())),
                maybe(random, text(random)),
                leg(random),
                maybe(random, leg(random)));
    }

    private static Leg leg(SplittableRandom random) {
        return new Leg(
                random.nextLong(),
                text(random),
                maybe(random, text(random)),
                oneOf(random, Side.values()),
                new Point(random.nextDouble(), maybe(random, random.nextDouble())));
    }

    private static <T> @Nullable T maybe(SplittableRandom random, T value) {
        return random.nextInt(3) == 0 ? null : value;
    }

    private static <T> T oneOf(SplittableRandom random, T[] values) {
        return values[random.nextInt(values.length)];
    }

    private static String text(SplittableRandom random) {
        return "aé€😀\n".repeat(random.nextInt(5)) + random.nextInt(100);
    }

    /** Returns a list with the same elements each time; the first has all values, the second none that it can lack. */
    static HugeList<All> list(ListLayout layout, int size, int rowsPerBlock) {
        HugeList<All> list =
                layout.builder(All.class).rowsPerBlock(rowsPerBlock).inMemory();
        SplittableRandom random = new SplittableRandom(39);
        for (int i = 0; i < size; i++) {
            list.add(any(random, i));
        }
        return list;
    }

    /** Has the values of a file or stream compared with those of the JSON of the list. */
    private void compare(HugeList<?> list, String how, Path file) throws Exception {
        Path json = folder.resolve("json");
        try (OutputStream out = Files.newOutputStream(json)) {
            ListJson.write(list, out);
        }
        python(how, file, json);
    }

    /** Runs src/test/python/arrow.py with what {@code etc/install-test-tools} has installed. */
    static void python(String how, Path from, Path to) throws Exception {
        Path tools = Path.of(System.getProperty("user.home"), ".cache/slipstream/test-tools");
        ProcessBuilder builder = new ProcessBuilder(
                        "python3", "-B", "src/test/python/arrow.py", how, from.toString(), to.toString())
                .redirectErrorStream(true);
        builder.environment()
                .put(
                        "PYTHONPATH",
                        String.join(
                                File.pathSeparator,
                                Stream.of("pyarrow", "polars", "duckdb")
                                        .map(library -> tools.resolve(library).toString())
                                        .toList()));
        builder.environment().put("PYTHONIOENCODING", "utf-8");
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            Assumptions.abort("there is no python3");
            return;
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        Assumptions.assumeTrue(
                code != NOT_INSTALLED, "pyarrow, Polars or DuckDB is missing; etc/install-test-tools brings them");
        assertThat(code).as(said).isZero();
    }

    @Test
    void otherToolsReadTheSameValuesFromAFile() throws Exception {
        Path file = folder.resolve("file.arrow");
        for (int size : new int[] {0, 1, 64, 1000}) {
            try (HugeList<All> list = list(layout, size, 256)) {
                ListArrow.writeFile(list, file);
                compare(list, "check", file);
            }
        }
        assertThat(folder.resolve("file.arrow.part")).doesNotExist();
    }

    @Test
    void otherToolsReadTheSameValuesFromAStream() throws Exception {
        Path file = folder.resolve("stream");
        for (int size : new int[] {0, 700}) {
            try (HugeList<All> list = list(layout, size, 256)) {
                try (OutputStream out = Files.newOutputStream(file)) {
                    ListArrow.writeStream(list, out);
                }
                compare(list, "stream", file);
            }
        }
    }

    @Test
    void batchesEndWhereTheirTextsAreLongAndBeginAtAnyBit() throws Exception {
        Path file = folder.resolve("file.arrow");
        try (HugeList<All> list = list(layout, 300, 128)) {
            for (int textBytes : new int[] {1, 200, 1000}) {
                try (OutputStream out = Files.newOutputStream(file)) {
                    ListArrow.write(list, Channels.newChannel(out), true, 50, textBytes);
                }
                compare(list, "check", file);
            }
        }
    }

    /** To make the vector anew: arrow.py rewrite FILE arrow-1.arrow, with the file that this test writes. */
    @Test
    void aFileHasWhatPyarrowWritesForTheSameValues() throws IOException {
        byte[] ours;
        try (HugeList<All> list = list(layout, 10, 64)) {
            Path file = folder.resolve("file.arrow");
            ListArrow.writeFile(list, file);
            ours = Files.readAllBytes(file);
        }
        try (InputStream in = Objects.requireNonNull(
                ListArrowTest.class.getResourceAsStream("/io/slipstream/data/golden/arrow-1.arrow"))) {
            assertThat(ArrowFile.describe(ours)).isEqualTo(ArrowFile.describe(in.readAllBytes()));
        }
    }

    @Test
    void buffersBeginAtMultiplesOf64() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (HugeList<All> list = list(layout, 100, 64)) {
            ListArrow.writeFile(list, out);
        }
        assertThat(ArrowFile.bufferOffsets(out.toByteArray())).isNotEmpty().allMatch(offset -> offset % 64 == 0);
    }

    interface Row {
        long id();

        Row id(long id);

        String text();

        Row text(String text);

        @Nullable
        Long third();

        Row third(@Nullable Long third);
    }

    @Test
    @Timeout(60)
    void writesTheRowsOfOneMomentBesideTheOwner() throws IOException {
        int rows = 20_000;
        try (HugeList<Row> list = layout.builder(Row.class).rowsPerBlock(64).inMemory()) {
            CompletableFuture<Void> owner = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < rows; i++) {
                    long id = i;
                    list.append(row -> row.id(id).text("t" + id).third(id % 3 == 0 ? null : (Long) id));
                }
            });
            long wanted = 0;
            do {
                long least = list.size();
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                ListArrow.writeFile(list, out);
                wanted = checkRows(out.toByteArray(), least, list.size());
            } while (wanted < rows);
            owner.join();
        }
    }

    /** Returns how many rows there are, whose ids count up and whose text and optional number fit them. */
    private static long checkRows(byte[] file, long least, long most) {
        long rows = 0;
        for (ArrowFile.Batch batch : ArrowFile.batches(file)) {
            for (int i = 0; i < batch.rows(); i++) {
                assertThat(batch.longAt(1, i)).isEqualTo(rows);
                assertThat(batch.textAt(3, i)).isEqualTo("t" + rows);
                assertThat(batch.hasValue(5, i)).isEqualTo(rows % 3 != 0);
                assertThat(batch.longAt(6, i)).isEqualTo(rows % 3 == 0 ? 0 : rows);
                rows++;
            }
        }
        assertThat(rows).isBetween(least, most);
        return rows;
    }

    @Test
    void aFileThatCannotBeWrittenWholeIsNotThere() throws IOException {
        Path stored = folder.resolve("list");
        HugeListBuilder<All> builder = layout.builder(All.class).rowsPerBlock(64);
        try (HugeList<All> list = builder.create(stored)) {
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < 200; i++) {
                list.add(any(random, i));
            }
            list.commit();
        }
        byte[] block = Files.readAllBytes(stored.resolve("block-2"));
        block[100]++;
        Files.write(stored.resolve("block-2"), block);
        Path file = folder.resolve("file.arrow");
        try (HugeList<All> list = builder.open(stored)) {
            assertThatThrownBy(() -> ListArrow.writeFile(list, file))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("block-2");
            assertThat(file).doesNotExist();
            Files.writeString(file, "former");
            assertThatThrownBy(() -> ListArrow.writeFile(list, file)).isInstanceOf(UncheckedIOException.class);
            assertThat(file).hasContent("former");
            assertThat(folder.resolve("file.arrow.part")).doesNotExist();
        }
    }

    @Test
    void aFullDiskLeavesNoFile() throws Exception {
        Path file = folder.resolve("file.arrow");
        ProcessBuilder builder =
                ChildJvm.of(Exporter.class, List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1"), file.toString());
        builder.command().addAll(0, List.of("sh", "-c", "ulimit -f 2000; exec \"$@\"", "sh"));
        Process child = builder.redirectErrorStream(true).start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(said).isEqualTo(3);
        assertThat(said).contains(file + " cannot be written: ");
        assertThat(folder).isEmptyDirectory();
    }

    /** Writes a file of more than a megabyte. */
    static final class Exporter {
        public static void main(String[] args) {
            try (HugeList<All> list = list(ListLayout.COLUMNS, 10_000, 1024)) {
                ListArrow.writeFile(list, Path.of(args[0]));
            } catch (IOException e) {
                System.out.println(e.getMessage());
                System.exit(3);
            }
        }
    }

    @Test
    void refusesAFolderThatIsNotThere() {
        try (HugeList<All> list = list(layout, 1, 64)) {
            assertThatThrownBy(() -> ListArrow.writeFile(list, folder.resolve("none/file.arrow")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("none");
        }
    }
}
