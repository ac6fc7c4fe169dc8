package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows at the end of a list are taken away. */
@ParameterizedClass
@EnumSource(ListLayout.class)
class TruncateTest {
    record Entry(String id, long value, @Nullable Integer box, boolean flag) {
        static Entry of(long row, long value) {
            return new Entry("r" + row % 300 + "-" + value, value, value % 3 == 0 ? null : (Integer) (int) row, true);
        }
    }

    interface Row {
        long id();

        void id(long value);

        @Nullable
        Integer box();

        void box(@Nullable Integer value);

        boolean flag();

        void flag(boolean value);

        String text();

        void text(String value);
    }

    @TempDir
    Path temp;

    private final ListLayout layout;

    TruncateTest(ListLayout layout) {
        this.layout = layout;
    }

    static HugeListBuilder<Entry> builder(ListLayout layout) {
        return layout.builder(Entry.class).rowsPerBlock(64).identity("id");
    }

    static void assertIs(HugeList<Entry> list, List<Entry> model) {
        assertThat(list.stream()).containsExactlyElementsOf(model);
        assertThat(list.longs("value").sum())
                .isEqualTo(model.stream().mapToLong(Entry::value).sum());
        for (int row = 0; row < model.size(); row++) {
            assertThat(list.rowOf(model.get(row).id())).isEqualTo(row);
        }
    }

    /** Adds and truncates, and compares with a model. */
    private static long change(HugeList<Entry> list, List<Entry> model, Random random, long unique) throws IOException {
        long next = unique;
        for (int add = random.nextInt(150); add > 0; add--) {
            Entry entry = Entry.of(model.size(), next++);
            list.add(entry);
            model.add(entry);
        }
        int size = random.nextInt(4) == 0 ? model.size() / 64 * 64 : random.nextInt(model.size() + 1);
        List<Entry> taken = model.subList(size, model.size());
        list.truncate(size);
        for (Entry entry : taken) {
            assertThat(list.rowOf(entry.id())).isEqualTo(-1);
        }
        for (Entry entry : taken.subList(0, taken.size() / 2)) {
            list.add(entry);
        }
        taken.subList(taken.size() / 2, taken.size()).clear();
        return next;
    }

    @Test
    void agreesWithAModelInMemory() throws IOException {
        Random random = new Random(14);
        List<Entry> model = new ArrayList<>();
        try (HugeList<Entry> list = builder(layout).inMemory()) {
            long next = 0;
            for (int i = 0; i < 100; i++) {
                next = change(list, model, random, next);
                assertIs(list, model);
            }
            list.truncate(0);
            assertThat(list.size()).isZero();
        }
    }

    @Test
    void agreesWithAModelInFilesAndAfterEachOpening() throws IOException {
        Random random = new Random(15);
        Path folder = temp.resolve("list");
        builder(layout).create(folder).close();
        List<Entry> model = new ArrayList<>();
        long next = 0;
        for (int life = 0; life < 15; life++) {
            try (HugeList<Entry> list = builder(layout).open(folder)) {
                assertIs(list, model);
                for (int i = 0; i < 3; i++) {
                    next = change(list, model, random, next);
                }
                list.commit();
                for (int i = random.nextInt(100); i > 0; i--) {
                    list.add(Entry.of(0, next++));
                }
            }
            try (HugeList<Entry> reader = builder(layout).openReadOnly(folder)) {
                reader.verify();
                assertIs(reader, model);
                assertThatThrownBy(() -> reader.truncate(0)).isInstanceOf(IllegalStateException.class);
            }
        }
    }

    @Test
    void anElementThatIsAppendedWhereOneWasTruncatedIsEmpty() throws IOException {
        for (boolean isInFiles : new boolean[] {false, true}) {
            HugeListBuilder<Row> builder = layout.builder(Row.class).rowsPerBlock(64);
            try (HugeList<Row> list = isInFiles ? builder.create(temp.resolve("rows")) : builder.inMemory()) {
                for (int id = 0; id < 100; id++) {
                    fill(list.append(), id);
                }
                fill(list.append(), 100);
                list.truncate(70);
                assertThat(list.size()).isEqualTo(70);
                Row row = list.append();
                assertThat(row.id()).isZero();
                assertThat(row.box()).isNull();
                assertThat(row.flag()).isFalse();
                assertThat(row.text()).isEmpty();
                for (int id = 71; id < 200; id++) {
                    list.append();
                }
                assertThat(list.longs("id").sum()).isEqualTo(70 * 69 / 2);
                assertThat(list.booleans("flag").count()).isEqualTo(70);
            }
        }
    }

    @Test
    void givesMemoryBackByWholeBlocks() throws IOException {
        try (HugeList<Row> list = layout.builder(Row.class).rowsPerBlock(64).inMemory()) {
            for (int id = 0; id < 256; id++) {
                fill(list.append(), id);
            }
            long four = list.memoryBytes();
            list.truncate(65);
            assertThat(list.memoryBytes()).isEqualTo(four / 2);
            list.truncate(64);
            assertThat(list.memoryBytes()).isEqualTo(four / 4);
            list.truncate(0);
            assertThat(list.memoryBytes()).isZero();
            fill(list.append(), 9);
            assertThat(list.longs("id").sum()).isEqualTo(9);
        }
    }

    private static void fill(Row row, long id) {
        row.id(id);
        row.box(5);
        row.flag(true);
        row.text("t" + id);
    }

    @Test
    void refusesASizeThatTheListDoesNotHaveAndChangesNothingWithItsOwn() throws IOException {
        try (HugeList<Row> list = layout.builder(Row.class).inMemory()) {
            fill(list.append(), 1);
            assertThatThrownBy(() -> list.truncate(2))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessage("size 2 of a list of 1 rows");
            assertThatThrownBy(() -> list.truncate(-1)).isInstanceOf(IndexOutOfBoundsException.class);
            list.truncate(1);
            assertThat(list.get(0).id()).isEqualTo(1);
            assertThatThrownBy(() -> list.append(_ -> truncate(list))).isInstanceOf(IllegalStateException.class);
            assertThat(list.size()).isEqualTo(1);
        }
    }

    private static void truncate(HugeList<?> list) {
        try {
            list.truncate(0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void giveTheFilesBackAndLeaveReadersTheirRows() throws IOException {
        Path folder = temp.resolve("list");
        HugeListBuilder<Row> builder = layout.builder(Row.class).rowsPerBlock(64);
        try (HugeList<Row> owner = builder.create(folder)) {
            for (int id = 0; id < 300; id++) {
                fill(owner.append(), id);
            }
            owner.commit();
            try (HugeList<Row> reader = layout.builder(Row.class).openReadOnly(folder)) {
                owner.truncate(100);
                assertThat(folder.resolve("block-1")).exists();
                assertThat(folder.resolve("block-2")).doesNotExist();
                for (int id = 100; id < 300; id++) {
                    owner.append().id(-1);
                }
                owner.commit();
                reader.verify();
                assertThat(reader.size()).isEqualTo(300);
                assertThat(reader.longs("id").sum()).isEqualTo(300 * 299 / 2);
                assertThat(reader.get(299).text()).isEqualTo("t299");
            }
            try (HugeList<Row> reader = layout.builder(Row.class).openReadOnly(folder)) {
                assertThat(reader.longs("id").sum()).isEqualTo(100 * 99 / 2 - 200);
            }
        }
    }

    @Test
    void keepsTheRowsIfTheCommitFails() throws IOException {
        Path folder = temp.resolve("list");
        try (HugeList<Entry> list = builder(layout).create(folder)) {
            List<Entry> model = new ArrayList<>();
            for (int row = 0; row < 200; row++) {
                list.add(Entry.of(row, row));
                model.add(Entry.of(row, row));
            }
            list.commit();
            Files.createDirectories(folder.resolve("commit.next/in the way"));
            assertThatThrownBy(() -> list.truncate(10)).isInstanceOf(IOException.class);
            assertIs(list, model);
            Files.delete(folder.resolve("commit.next/in the way"));
            Files.delete(folder.resolve("commit.next"));
            list.truncate(10);
            assertIs(list, model.subList(0, 10));
        }
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aThreadThatReadsMeanwhileIsRefusedAtMost() throws Exception {
        AtomicBoolean isDone = new AtomicBoolean();
        for (boolean isInFiles : new boolean[] {false, true}) {
            isDone.set(false);
            HugeListBuilder<Row> builder = layout.builder(Row.class).rowsPerBlock(64);
            try (HugeList<Row> list = isInFiles ? builder.create(temp.resolve("beside")) : builder.inMemory()) {
                CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> {
                    while (!isDone.get()) {
                        try {
                            list.longs("id").sum();
                            list.booleans("flag").where().count();
                            list.get(Math.max(0, list.size() - 1)).text();
                        } catch (IllegalStateException | IndexOutOfBoundsException e) {
                            assertThat(e).isNotInstanceOf(ArrayIndexOutOfBoundsException.class);
                        }
                    }
                });
                Random random = new Random(3);
                for (int i = 0; i < 100; i++) {
                    for (int id = 0; id < 200; id++) {
                        fill(list.append(), id);
                    }
                    list.truncate(random.nextInt((int) list.size()));
                }
                isDone.set(true);
                reader.get();
            }
        }
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aListThatIsOpenedForReadingMeanwhileOpensOrSaysThatItWasTruncated() throws Exception {
        Path folder = temp.resolve("list");
        AtomicBoolean isDone = new AtomicBoolean();
        try (HugeList<Entry> owner = builder(layout).create(folder)) {
            CompletableFuture<Integer> reader = CompletableFuture.supplyAsync(() -> {
                int opened = 0;
                while (!isDone.get() || opened == 0) {
                    try (HugeList<Entry> list = layout.builder(Entry.class).openReadOnly(folder)) {
                        list.verify();
                        opened++;
                    } catch (IOException e) {
                        assertThat(e).hasMessageContaining("was truncated from");
                    }
                }
                return opened;
            });
            Random random = new Random(4);
            for (int i = 0; i < 100; i++) {
                for (int row = 0; row < 200; row++) {
                    owner.add(Entry.of(row, i * 1_000L + row));
                }
                owner.commit();
                owner.truncate(random.nextInt((int) owner.size()));
            }
            isDone.set(true);
            assertThat(reader.get()).isPositive();
        }
    }
}
