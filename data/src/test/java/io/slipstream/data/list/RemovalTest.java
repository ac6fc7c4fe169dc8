package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.annotation.Optional;
import io.slipstream.data.column.LongColumn;
import io.slipstream.data.column.RowSet;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Elements are removed by copies of the others, in steps; a list in files has all of them or none. */
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

    private static HugeListBuilder<Entry> builder() {
        return HugeList.builder(Entry.class).rowsPerBlock(64).identity("id");
    }

    private static HugeListBuilder<Row> rows() {
        return HugeList.builder(Row.class).rowsPerBlock(64);
    }

    private static void fill(HugeList<Row> list, int count) {
        for (int id = 0; id < count; id++) {
            list.append().id(id);
            list.get(id).text("t" + id % 10);
        }
    }

    private static void assertIs(HugeList<Entry> list, List<Entry> model) {
        assertThat(list.stream()).containsExactlyElementsOf(model);
        assertThat(list.longs("value").sum())
                .isEqualTo(model.stream().mapToLong(Entry::value).sum());
        for (int row = 0; row < model.size(); row++) {
            assertThat(list.rowOf(model.get(row).id())).isEqualTo(row);
        }
    }

    private static long add(HugeList<Entry> list, List<Entry> model, int count, long unique) {
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
        try (HugeList<Entry> list = builder().inMemory()) {
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
        builder().create(folder).close();
        List<Entry> model = new ArrayList<>();
        long next = 0;
        for (int life = 0; life < 10; life++) {
            try (HugeList<Entry> list = builder().open(folder)) {
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
            try (HugeList<Entry> reader = builder().openReadOnly(folder)) {
                reader.verify();
                assertIs(reader, model);
                assertThatThrownBy(() -> reader.removeIf(_ -> true)).isInstanceOf(IllegalStateException.class);
            }
        }
    }

    @Test
    void whatIsInTheFolderAfterEachStepIsTheListWithAllOrWithNone() throws IOException {
        Path folder = temp.resolve("list");
        List<Entry> all = new ArrayList<>();
        try (HugeList<Entry> list = builder().create(folder)) {
            add(list, all, 300, 0);
            list.commit();
            Removal<Entry> removal = list.removal(entry -> entry.value() % 4 == 1);
            int steps = 0;
            boolean isLeft = true;
            while (isLeft) {
                isLeft = removal.step(20);
                assertKilledIs("step" + steps++, folder, all);
            }
            Path before = copy(folder, "before");
            removal.finish();
            List<Entry> left =
                    all.stream().filter(entry -> entry.value() % 4 != 1).toList();
            assertKilledIs("after", folder, left);
            // Killed before the former files were deleted: all files of before, and those of the commit.
            copyInto(folder, before);
            assertKilledIs("between", before, left);
        }
    }

    private void assertKilledIs(String name, Path folder, List<Entry> model) throws IOException {
        Path killed = copy(folder, name);
        for (int life = 0; life < 2; life++) {
            try (HugeList<Entry> list = builder().open(killed)) {
                list.verify();
                assertIs(list, model);
                // What a removal left that did not come to its end, or what it came to the end of.
                try (Stream<Path> files = Files.list(killed)) {
                    assertThat(files.map(file -> BlockFiles.generationOf(
                                            file.getFileName().toString()))
                                    .filter(generation -> generation >= 0)
                                    .distinct())
                            .hasSize(1);
                }
                assertThat(list.removeIf(_ -> false)).isZero();
            }
        }
    }

    private Path copy(Path folder, String name) throws IOException {
        Path to = temp.resolve(name);
        copyInto(folder, to);
        return to;
    }

    private static void copyInto(Path folder, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(folder.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.write(target, Files.readAllBytes(file));
                }
            }
        }
    }

    @Test
    void keepsTheRowsIfTheCommitFailsAndCanFinishThen() throws IOException {
        Path folder = temp.resolve("list");
        try (HugeList<Entry> list = builder().create(folder)) {
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
        try (HugeList<Row> list = rows().inMemory()) {
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
            try (HugeList<Row> list = isInFiles ? rows().create(temp.resolve("held")) : rows().inMemory()) {
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
        try (HugeList<Row> list = rows().inMemory()) {
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

    @Test
    void leavesProcessesThatReadTheirRows() throws IOException {
        Path folder = temp.resolve("list");
        try (HugeList<Row> owner = rows().create(folder)) {
            fill(owner, 300);
            owner.commit();
            try (HugeList<Row> reader = rows().openReadOnly(folder);
                    HugeList<Row> unchecked = rows().openReadOnly(folder)) {
                owner.get(0).id(300);
                owner.commit();
                assertThat(owner.removeIf(row -> row.id() % 2 == 0)).isEqualTo(150);
                assertThat(folder.resolve("block-0")).doesNotExist();
                assertThat(folder.resolve("block-1-2")).exists();
                assertThat(folder.resolve("block-1-3")).doesNotExist();
                assertThat(reader.size()).isEqualTo(300);
                assertThat(reader.get(299).text()).isEqualTo("t9");
                // What was changed in place since cannot be compared with a commit any more.
                assertThatThrownBy(unchecked::verify)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("were removed since it was opened here; open it again");
            }
            try (HugeList<Row> reader = rows().openReadOnly(folder)) {
                reader.verify();
                assertThat(reader.size()).isEqualTo(150);
            }
        }
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aThreadThatReadsMeanwhileSeesAllOrNoneOrIsRefused() throws Exception {
        for (boolean isInFiles : new boolean[] {false, true}) {
            try (HugeList<Row> list = isInFiles ? rows().create(temp.resolve("beside")) : rows().inMemory()) {
                fill(list, 4_000);
                list.publish();
                Set<Long> sums = ConcurrentHashMap.newKeySet();
                sums.add(list.longs("id").sum());
                AtomicBoolean isDone = new AtomicBoolean();
                CompletableFuture<Integer> reader = CompletableFuture.supplyAsync(() -> {
                    int answers = 0;
                    while (!isDone.get() || answers == 0) {
                        try {
                            assertThat(sums).contains(list.longs("id").sum());
                            long sum = 0;
                            for (Row row : list) {
                                sum += row.id();
                            }
                            assertThat(sums).contains(sum);
                            assertThat(sums)
                                    .contains(list.stream().mapToLong(Row::id).sum());
                            RowSet ones = list.whereText("text", "t1");
                            assertThat(ones.count()).isPositive();
                            ListArrow.writeStream(list, new ByteArrayOutputStream());
                            answers++;
                        } catch (IllegalStateException e) {
                            // Rows were removed meanwhile.
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    }
                    return answers;
                });
                Random random = new Random(3);
                for (int i = 0; i < 40; i++) {
                    long taken = random.nextInt(400) * 10L;
                    long sum = list.stream()
                            .mapToLong(Row::id)
                            .filter(id -> id < taken || id >= taken + 9)
                            .sum();
                    sums.add(sum);
                    list.removeIf(row -> row.id() >= taken && row.id() < taken + 9);
                    assertThat(list.longs("id").sum()).isEqualTo(sum);
                }
                isDone.set(true);
                assertThat(reader.get()).isPositive();
            }
        }
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aListThatIsOpenedForReadingMeanwhileOpensOrSaysThatRowsWereRemoved() throws Exception {
        Path folder = temp.resolve("list");
        AtomicBoolean isDone = new AtomicBoolean();
        try (HugeList<Entry> owner = builder().create(folder)) {
            CompletableFuture<Integer> reader = CompletableFuture.supplyAsync(() -> {
                int opened = 0;
                while (!isDone.get() || opened == 0) {
                    try (HugeList<Entry> list = builder().openReadOnly(folder)) {
                        list.verify();
                        opened++;
                    } catch (IOException e) {
                        assertThat(e).hasMessageContaining("were removed since");
                    }
                }
                return opened;
            });
            long next = 0;
            for (int i = 0; i < 40; i++) {
                next = add(owner, new ArrayList<>(), 150, next);
                owner.commit();
                int rest = i % 3;
                owner.removeIf(entry -> entry.value() % 3 == rest);
            }
            isDone.set(true);
            assertThat(reader.get()).isPositive();
        }
    }

    /** Each step adds a hundred, and removes what leaves this rest by seven. */
    private static boolean isTaken(long value, int step) {
        return value % 7 == step % 7 && value % 50 != 0;
    }

    private static List<Entry> after(int last) {
        List<Entry> model = new ArrayList<>();
        for (int step = 0; step <= last; step++) {
            int number = step;
            for (long value = step * 100L; value < step * 100L + 100; value++) {
                model.add(Entry.of(value));
            }
            model.removeIf(entry -> isTaken(entry.value(), number));
        }
        return model;
    }

    private static void next(HugeList<Entry> list, int step) throws IOException {
        for (long value = step * 100L; value < step * 100L + 100; value++) {
            list.add(Entry.of(value));
        }
        try (Removal<Entry> removal = list.removal(entry -> isTaken(entry.value(), step))) {
            while (removal.step(30)) {
                // Goes on.
            }
            removal.finish();
        }
    }

    @Test
    void hasAllElementsOrNoneThatAreRemovedHoweverItIsKilled() throws Exception {
        Random random = new Random();
        for (int kill = 0; kill < 5; kill++) {
            Path folder = temp.resolve("list" + kill);
            builder().create(folder).close();
            Process child = MappedListTest.child(List.of(), Remover.class, folder);
            int acknowledged = -1;
            try (BufferedReader out = child.inputReader()) {
                for (int i = random.nextInt(30); i >= 0; i--) {
                    acknowledged = Integer.parseInt(out.readLine());
                }
                child.destroyForcibly().waitFor();
            }
            try (HugeList<Entry> list = builder().open(folder)) {
                list.verify();
                List<Entry> found = list.stream().toList();
                int step = acknowledged;
                while (!found.equals(after(step)) && step < acknowledged + 100) {
                    step++;
                }
                assertThat(found).as("step %d or later", acknowledged).isEqualTo(after(step));
                assertIs(list, found);
                next(list, step + 1);
                assertIs(list, after(step + 1));
            }
        }
    }

    /** Adds and removes in turn, and says which steps it has done. */
    static final class Remover {
        public static void main(String[] args) throws IOException {
            try (HugeList<Entry> list = builder().open(Path.of(args[0]))) {
                for (int step = 0; ; step++) {
                    next(list, step);
                    System.out.println(step);
                }
            }
        }
    }
}
