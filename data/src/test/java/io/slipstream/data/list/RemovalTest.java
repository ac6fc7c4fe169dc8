package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.annotation.Optional;
import io.slipstream.data.column.LongColumn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Elements are removed by copies of the others, in steps. */
@ParameterizedClass
@EnumSource(ListLayout.class)
class RemovalTest {
    record Leg(int ratio, boolean isLong) {}

    record Entry(
            String id,
            long value,
            @Nullable Integer box,
            boolean flag,
            @Optional @Nullable Leg leg) {
        static Entry of(long value) {
            int i = (int) value;
            return new Entry(
                    "r" + value,
                    value,
                    value % 3 == 0 ? null : (Integer) i,
                    value % 5 == 0,
                    value % 7 == 0 ? null : new Leg(i, value % 2 == 0));
        }
    }

    interface Row {
        long id();

        void id(long value);

        String text();

        void text(String value);
    }

    @TempDir
    Path temp;

    private final ListLayout layout;

    RemovalTest(ListLayout layout) {
        this.layout = layout;
    }

    static HugeListBuilder<Entry> builder(ListLayout layout) {
        return layout.builder(Entry.class).rowsPerBlock(64).identity("id");
    }

    static HugeListBuilder<Row> rows(ListLayout layout) {
        return layout.builder(Row.class).rowsPerBlock(64);
    }

    static void fill(HugeList<Row> list, int count) {
        for (int id = 0; id < count; id++) {
            list.append().id(id);
            list.get(id).text("t" + id % 10);
        }
    }

    static void assertIs(HugeList<Entry> list, List<Entry> model) {
        assertThat(list.stream()).containsExactlyElementsOf(model);
        assertThat(list.longs("value").sum())
                .isEqualTo(model.stream().mapToLong(Entry::value).sum());
        for (int row = 0; row < model.size(); row++) {
            assertThat(list.rowOf(model.get(row).id())).isEqualTo(row);
        }
    }

    static long add(HugeList<Entry> list, List<Entry> model, int count, long unique) {
        for (long value = unique; value < unique + count; value++) {
            list.add(Entry.of(value));
            model.add(Entry.of(value));
        }
        return unique + count;
    }

    /** Adds and removes, in steps between which elements are added and committed, and compares with a model. */
    private static long change(HugeList<Entry> list, List<Entry> model, Random random, long unique, boolean isInFiles)
            throws IOException {
        long next = add(list, model, random.nextInt(150), unique);
        int modulus = 1 + random.nextInt(6);
        int rest = random.nextInt(7);
        try (Removal<Entry> removal = list.removal(entry -> entry.value() % modulus == rest)) {
            while (removal.step(1 + random.nextInt(100))) {
                if (random.nextInt(3) == 0) {
                    next = add(list, model, random.nextInt(20), next);
                }
                if (isInFiles && random.nextInt(5) == 0) {
                    list.commit();
                }
                if (random.nextInt(20) == 0) {
                    assertIs(list, model);
                }
            }
            if (random.nextInt(4) == 0) {
                return next;
            }
            next = add(list, model, random.nextInt(20), next);
            List<Entry> taken = model.stream()
                    .filter(entry -> entry.value() % modulus == rest)
                    .toList();
            assertThat(removal.finish()).isEqualTo(taken.size());
            model.removeAll(Set.copyOf(taken));
            taken.forEach(entry -> assertThat(list.rowOf(entry.id())).isEqualTo(-1));
            for (Entry entry : taken.subList(0, taken.size() / 2)) {
                list.add(entry);
                model.add(entry);
            }
        }
        return next;
    }

    @Test
    void agreesWithAModelInMemory() throws IOException {
        Random random = new Random(14);
        List<Entry> model = new ArrayList<>();
        try (HugeList<Entry> list = builder(layout).inMemory()) {
            long next = 0;
            for (int i = 0; i < 60; i++) {
                next = change(list, model, random, next, false);
                assertIs(list, model);
            }
            assertThat(list.removeIf(_ -> true)).isEqualTo(model.size());
            assertThat(list.size()).isZero();
            assertThat(list.removeIf(_ -> true)).isZero();
        }
    }

    @Test
    void agreesWithAModelInFilesAndAfterEachOpening() throws IOException {
        Random random = new Random(15);
        Path folder = temp.resolve("list");
        builder(layout).create(folder).close();
        List<Entry> model = new ArrayList<>();
        long next = 0;
        for (int life = 0; life < 10; life++) {
            try (HugeList<Entry> list = builder(layout).open(folder)) {
                assertIs(list, model);
                for (int i = 0; i < 3; i++) {
                    next = change(list, model, random, next, true);
                    if (random.nextInt(3) == 0) {
                        int size = random.nextInt(model.size() + 1);
                        list.truncate(size);
                        model.subList(size, model.size()).clear();
                    }
                }
                list.commit();
                // Not committed, and a removal that is not finished.
                add(list, new ArrayList<>(), random.nextInt(100), 1_000_000);
                list.removal(entry -> entry.flag()).step(50);
            }
            try (HugeList<Entry> reader = builder(layout).openReadOnly(folder)) {
                reader.verify();
                assertIs(reader, model);
                assertThatThrownBy(() -> reader.removeIf(_ -> true)).isInstanceOf(IllegalStateException.class);
            }
        }
    }

    @Test
    void keepsTheRowsIfTheCommitFailsAndCanFinishThen() throws IOException {
        Path folder = temp.resolve("list");
        try (HugeList<Entry> list = builder(layout).create(folder)) {
            List<Entry> model = new ArrayList<>();
            add(list, model, 200, 0);
            list.commit();
            Files.createDirectories(folder.resolve("commit.next/in the way"));
            try (Removal<Entry> removal = list.removal(Entry::flag)) {
                assertThatThrownBy(removal::finish).isInstanceOf(IOException.class);
                assertIs(list, model);
                Files.delete(folder.resolve("commit.next/in the way"));
                Files.delete(folder.resolve("commit.next"));
                assertThat(removal.finish()).isEqualTo(40);
            }
            model.removeIf(Entry::flag);
            assertIs(list, model);
        }
    }

    @Test
    void aFilterThatThrowsLeavesAllAndIsAskedAgain() throws IOException {
        try (HugeList<Row> list = rows(layout).inMemory()) {
            fill(list, 100);
            AtomicBoolean isBroken = new AtomicBoolean(true);
            try (Removal<Row> removal = list.removal(row -> {
                if (row.id() == 70 && isBroken.get()) {
                    throw new UnsupportedOperationException();
                }
                return row.id() % 2 == 0;
            })) {
                assertThatThrownBy(() -> removal.step(100)).isInstanceOf(UnsupportedOperationException.class);
                assertThat(removal.removed()).isEqualTo(35);
                assertThat(removal.looked()).isBetween(69L, 70L);
                assertThat(list.size()).isEqualTo(100);
                isBroken.set(false);
                assertThat(removal.finish()).isEqualTo(50);
            }
            assertThat(list.longs("id").sum()).isEqualTo(50 * 50);
        }
    }

    @Test
    void aRowThatWasPassedIsNotChangedUntilTheRemovalIsOver() throws IOException {
        for (boolean isInFiles : new boolean[] {false, true}) {
            try (HugeList<Row> list = isInFiles
                    ? rows(layout).create(temp.resolve("held"))
                    : rows(layout).inMemory()) {
                fill(list, 100);
                if (isInFiles) {
                    list.commit();
                }
                Removal<Row> removal = list.removal(row -> row.id() == 3);
                removal.step(70);
                for (int row : new int[] {0, 3, 63, 69}) {
                    assertThatThrownBy(() -> list.get(row).id(-1))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("a removal has passed this row");
                    assertThat(list.get(row).id()).isEqualTo(row);
                }
                list.get(70).text("changed");
                list.append().id(100);
                if (isInFiles) {
                    list.commit();
                    assertThatThrownBy(() -> list.get(0).id(-1)).isInstanceOf(IllegalStateException.class);
                }
                assertThatThrownBy(() -> list.truncate(5))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("a removal is under way");
                assertThatThrownBy(() -> list.removal(_ -> true)).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> list.append(_ -> step(removal))).isInstanceOf(IllegalStateException.class);
                removal.close();
                assertThatThrownBy(() -> removal.step(1)).isInstanceOf(IllegalStateException.class);
                list.get(0).text("first");
                try (Removal<Row> second = list.removal(row -> row.id() == 3)) {
                    assertThat(second.finish()).isEqualTo(1);
                }
                assertThat(list.size()).isEqualTo(100);
                assertThat(list.get(0).text()).isEqualTo("first");
                assertThat(list.get(69).text()).isEqualTo("changed");
                list.get(0).id(7);
                assertThat(list.get(99).id()).isEqualTo(100);
                assertThat(list.append().text()).isEmpty();
            }
        }
    }

    private static void step(Removal<?> removal) {
        try {
            removal.step(10);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whatStoodOnRowsOfBeforeIsRefused() throws IOException {
        try (HugeList<Row> list = rows(layout).inMemory()) {
            fill(list, 200);
            Cursor<Row> cursor = list.cursor().moveTo(5);
            Row element = cursor.element();
            Row appended = list.append();
            LongColumn column = list.longs("id");
            Iterator<Row> iterator = list.iterator();
            Iterator<Row> stream = list.stream().iterator();
            for (int i = 0; i < 10; i++) {
                iterator.next();
                stream.next();
            }
            assertThat(list.removeIf(row -> row.id() >= 20)).isEqualTo(180);
            assertThatThrownBy(element::id).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> element.id(1)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> appended.id(1)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> cursor.moveTo(7))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("rows of the list were removed");
            assertThatThrownBy(column::sum).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> column.get(0)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> iterator.next().id()).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> stream.next().id()).isInstanceOf(IllegalStateException.class);
            assertThat(list.longs("id").sum()).isEqualTo(19 * 20 / 2);
            assertThat(list.stream().map(Row::text)).hasSize(21).contains("t9");
        }
    }
}
