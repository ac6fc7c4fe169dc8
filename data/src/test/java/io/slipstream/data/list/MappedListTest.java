package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(ListLayout.class)
class MappedListTest {
    record Entry(long id, boolean odd, String text, Integer box) {
        static Entry of(long id) {
            return new Entry(id, (id & 1) == 1, "t" + id % 10, id % 3 == 0 ? null : (Integer) (int) id);
        }
    }

    @TempDir
    Path temp;

    private final ListLayout layout;

    MappedListTest(ListLayout layout) {
        this.layout = layout;
    }

    private HugeListBuilder<Entry> builder() {
        return layout.builder(Entry.class).rowsPerBlock(64).identity("id");
    }

    @Test
    void opensAgainWithAllThatWasCommittedAndNoMore() throws IOException {
        Path folder = temp.resolve("list");
        SplittableRandom random = new SplittableRandom(1);
        builder().create(folder).close();
        int committed = 0;
        for (int life = 0; life < 20; life++) {
            try (HugeList<Entry> list = builder().open(folder)) {
                assertThat(list.size()).isEqualTo(committed);
                for (int row = 0; row < committed; row++) {
                    assertThat(list.get(row)).isEqualTo(Entry.of(row));
                    assertThat(list.rowOf(row)).isEqualTo(row);
                }
                assertThat(list.rowOf(committed)).isEqualTo(-1);
                int add = random.nextInt(100);
                for (int i = 0; i < add; i++) {
                    list.add(Entry.of(committed + i));
                }
                list.commit();
                committed += add;
                for (int i = random.nextInt(100); i > 0; i--) {
                    list.add(new Entry(1_000_000 + i, true, "lost", 1));
                }
            }
        }
    }

    @Test
    void opensWithEitherValueOfARowThatWasChangedAfterTheCommit() throws IOException {
        Path folder = temp.resolve("list");
        try (HugeList<Entry> list = filled(folder, 200)) {
            list.set(5, new Entry(5, true, "new", 7));
        }
        try (HugeList<Entry> list = builder().open(folder)) {
            assertThat(list.get(5).box()).isEqualTo(7);
            assertThat(list.get(6)).isEqualTo(Entry.of(6));
            list.commit();
        }
        builder().open(folder).close();
    }

    /** An element whose text is changed in place. */
    interface Named {
        String name();

        void name(String name);
    }

    @Test
    void aTextThatWasChangedInPlaceIsThereAfterAKillAndBecomesNoOther() throws IOException {
        Path folder = temp.resolve("list");
        HugeListBuilder<Named> names = layout.builder(Named.class);
        try (HugeList<Named> list = names.create(folder)) {
            list.append().name("OLD");
            list.append();
            list.commit();
            list.append().name("not committed");
            list.get(0).name("NEW");
        }
        try (HugeList<Named> list = names.open(folder)) {
            assertThat(list.size()).isEqualTo(2);
            assertThat(list.get(0).name()).isEqualTo("NEW");
            list.append().name("UNRELATED");
            list.commit();
            list.get(1).name("second");
        }
        try (HugeList<Named> list = names.open(folder)) {
            list.verify();
            assertThat(list.stream().map(Named::name)).containsExactly("NEW", "second", "UNRELATED");
            list.commit();
        }
        try (HugeList<Named> list = names.open(folder)) {
            assertThat(list.stream().map(Named::name)).containsExactly("NEW", "second", "UNRELATED");
        }
    }

    @Test
    void aTextThatWasWrittenInPartBeforeAKillIsNone() throws IOException {
        Path folder = temp.resolve("list");
        HugeListBuilder<Named> names = layout.builder(Named.class);
        try (HugeList<Named> list = names.create(folder)) {
            list.append().name("OLD");
            list.commit();
        }
        Path texts = folder.resolve("text-name");
        byte[] whole = Files.readAllBytes(texts);
        byte[] torn = Arrays.copyOf(whole, whole.length + 6);
        torn[whole.length + 3] = 3;
        torn[whole.length + 4] = 'N';
        Files.write(texts, torn);
        try (HugeList<Named> list = names.open(folder)) {
            list.append().name("NEXT");
            list.commit();
        }
        try (HugeList<Named> list = names.open(folder)) {
            assertThat(list.stream().map(Named::name)).containsExactly("OLD", "NEXT");
        }
    }

    @Test
    void refusesARowWhoseTextNoFileHas() throws IOException {
        Path folder = temp.resolve("list");
        HugeListBuilder<Named> names = layout.builder(Named.class);
        try (HugeList<Named> list = names.create(folder)) {
            list.append().name("OLD");
            list.commit();
            list.get(0).name("NEW");
        }
        Path texts = folder.resolve("text-name");
        Files.write(texts, Arrays.copyOf(Files.readAllBytes(texts), 7));
        assertThatThrownBy(() -> names.open(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("row 0 of it has text 2")
                .hasMessageContaining("text-name has only 1");
    }

    @Test
    void findsEveryFlippedByteOfTheTexts() throws IOException {
        Path folder = temp.resolve("list");
        filled(folder, 100).close();
        Path texts = folder.resolve("text-text");
        byte[] good = Files.readAllBytes(texts);
        for (int at = 0; at < good.length; at++) {
            byte[] bad = good.clone();
            bad[at] ^= 0x20;
            Files.write(texts, bad);
            assertThatThrownBy(() -> builder().open(folder))
                    .as("byte %s", at)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("text-text is damaged");
        }
    }

    @Test
    void refusesATextThatNoFileCanHold() throws IOException {
        Path folder = temp.resolve("list");
        try (HugeList<Entry> list = builder().create(folder)) {
            list.add(new Entry(1, true, "?", null));
            for (String text : List.of("\ud800", "a\udc00", "\ud800\ud800\udc00")) {
                assertThatThrownBy(() -> list.add(new Entry(2, true, text, null)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("Entry.text: has half a surrogate pair");
            }
            list.add(new Entry(2, true, "\ud83d\ude00", null));
            list.commit();
        }
        try (HugeList<Entry> list = builder().open(folder)) {
            assertThat(list.stream().map(Entry::text)).containsExactly("?", "\ud83d\ude00");
        }
    }

    @Test
    void createsAListWhereAProcessWasKilledWhileItCreatedOne() throws IOException {
        Path folder = temp.resolve("list");
        filled(folder, 100).close();
        Files.delete(folder.resolve("commit"));
        assertThatThrownBy(() -> builder().open(folder)).hasMessageContaining("there is no list in");
        Path own = Files.writeString(folder.resolve("notes"), "mine");
        try (HugeList<Entry> list = builder().create(folder)) {
            assertThat(list.rowOf(5)).isEqualTo(-1);
            list.add(Entry.of(5));
            list.commit();
        }
        try (HugeList<Entry> list = builder().open(folder)) {
            assertThat(list.asList()).containsExactly(Entry.of(5));
        }
        assertThat(own).hasContent("mine");
    }

    @Test
    void leavesAFolderAloneThatIsNoneOfAList() throws IOException {
        Path folder = Files.createDirectories(temp.resolve("other"));
        Path file = Files.writeString(folder.resolve("text-notes"), "mine");
        assertThatThrownBy(() -> builder().open(folder)).hasMessageContaining("there is no list in");
        builder().create(folder).close();
        assertThat(file).hasContent("mine");
    }

    @Test
    void findsEveryFlippedByteOfWhatWasCommitted() throws IOException {
        Path folder = temp.resolve("list");
        filled(folder, 100).close();
        List<Path> files = files(folder);
        int refused = 0;
        for (Path file : files) {
            byte[] good = Files.readAllBytes(file);
            for (int at = 0; at < good.length; at += 3) {
                byte[] bad = good.clone();
                bad[at] ^= 4;
                Files.write(file, bad);
                try (HugeList<Entry> list = builder().open(folder)) {
                    boolean isSpare = file.getFileName().toString().startsWith("block-");
                    for (int row = 0; row < 100; row++) {
                        assertThat(list.get(row)).as("byte %s of %s", at, file).isEqualTo(Entry.of(row));
                    }
                    assertThat(isSpare).as("byte %s of %s", at, file).isTrue();
                } catch (IOException | UncheckedIOException e) {
                    refused++;
                    assertThat(e.getMessage()).contains(folder.toString());
                }
            }
            Files.write(file, good);
        }
        assertThat(refused).isGreaterThan(500);
    }

    @Test
    void refusesFilesThatAreCutOrSwappedOrGone() throws IOException {
        Path folder = temp.resolve("list");
        filled(folder, 200).close();
        Path block = folder.resolve("block-1");
        byte[] good = Files.readAllBytes(block);
        Files.write(block, Arrays.copyOf(good, 100));
        assertThatThrownBy(() -> builder().open(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("block-1")
                .hasMessageContaining("100 bytes");
        Files.delete(block);
        assertThatThrownBy(() -> builder().open(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("block-1");
        Files.copy(folder.resolve("block-0"), block);
        try (HugeList<Entry> list = builder().open(folder)) {
            assertThat(list.get(63)).isEqualTo(Entry.of(63));
            for (int attempt = 0; attempt < 2; attempt++) {
                assertThatThrownBy(() -> list.get(64))
                        .isInstanceOf(UncheckedIOException.class)
                        .hasMessageContaining("block-1")
                        .hasMessageContaining("the checksum of its 64 rows is wrong");
                assertThatThrownBy(() -> list.longs("id").sum()).isInstanceOf(UncheckedIOException.class);
                assertThatThrownBy(list::verify).isInstanceOf(IOException.class).hasMessageContaining("block-1");
            }
        }
        Files.write(block, good);
        try (HugeList<Entry> list = builder().open(folder)) {
            list.verify();
        }
        assertThatThrownBy(() -> builder().open(temp.resolve("nowhere")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("there is no list");
    }

    @Test
    void refusesAnotherSchema() throws IOException {
        record Other(long id, boolean odd, String text) {}
        Path folder = temp.resolve("list");
        filled(folder, 10).close();
        assertThatThrownBy(() -> layout.builder(Other.class).open(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("another schema");
    }

    @Test
    void isOpenOnceAtATime() throws IOException {
        Path folder = temp.resolve("list");
        try (HugeList<Entry> list = filled(folder, 10)) {
            assertThat(list.size()).isEqualTo(10);
            assertThatThrownBy(() -> builder().open(folder)).hasMessageContaining("is open already");
        }
        assertThatThrownBy(() -> builder().create(folder)).hasMessageContaining("holds a list already");
    }

    @Test
    void hasEveryElementUpToTheLastCommitHoweverItIsKilled() throws Exception {
        Path folder = temp.resolve("list");
        builder().create(folder).close();
        SplittableRandom random = new SplittableRandom();
        for (int kill = 0; kill < 5; kill++) {
            Process child = child(List.of(), Appender.class, folder);
            long acknowledged = -1;
            try (BufferedReader out = child.inputReader()) {
                for (int i = random.nextInt(30); i >= 0; i--) {
                    acknowledged = Long.parseLong(out.readLine());
                }
                child.destroyForcibly().waitFor();
            }
            try (HugeList<Entry> list = builder().open(folder)) {
                assertThat(list.size()).isGreaterThanOrEqualTo(acknowledged);
                for (long row = 0; row < list.size(); row++) {
                    assertThat(list.get(row)).isEqualTo(Entry.of(row));
                    assertThat(list.rowOf(row)).isEqualTo(row);
                }
            }
        }
    }

    @Test
    void saysWhenTheDiskIsFullAndKeepsItsLastCommit() throws Exception {
        Path folder = temp.resolve("list");
        layout.builder(Entry.class)
                .rowsPerBlock(1 << 18)
                .identity("id")
                .create(folder)
                .close();
        Process child = child(List.of("sh", "-c", "ulimit -f 2000; exec \"$@\"", "sh"), Appender.class, folder);
        String last = "";
        try (BufferedReader out = child.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                last = line;
            }
        }
        assertThat(child.waitFor()).isEqualTo(3);
        assertThat(last).contains("cannot create").contains("block-0");
        try (HugeList<Entry> list = HugeList.builder(Entry.class).identity("id").open(folder)) {
            assertThat(list.size()).isZero();
        }
    }

    private HugeList<Entry> filled(Path folder, int rows) throws IOException {
        HugeList<Entry> list = builder().create(folder);
        for (int row = 0; row < rows; row++) {
            list.add(Entry.of(row));
        }
        list.commit();
        return list;
    }

    private static List<Path> files(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.filter(file -> Files.isRegularFile(file) && !file.endsWith("lock"))
                    .toList();
        }
    }

    static Process child(List<String> before, Class<?> main, Path folder) throws IOException {
        List<String> command = new ArrayList<>(before);
        String paths = System.getProperty("java.class.path") + ":"
                + Path.of("target/classes").toAbsolutePath() + ":"
                + Path.of("target/test-classes").toAbsolutePath() + ":"
                + Path.of("../core/target/classes").toAbsolutePath();
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                paths,
                main.getName(),
                folder.toString()));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Adds ever more elements, commits after every fiftieth, and says how many there are. */
    static final class Appender {
        public static void main(String[] args) throws IOException {
            try (HugeList<Entry> list =
                    HugeList.builder(Entry.class).identity("id").open(Path.of(args[0]))) {
                for (long row = list.size(); ; row++) {
                    if (row % 50 == 0) {
                        list.commit();
                        System.out.println(row);
                    }
                    list.add(Entry.of(row));
                }
            } catch (RuntimeException e) {
                System.out.println(e.getMessage());
                System.exit(3);
            }
        }
    }
}
