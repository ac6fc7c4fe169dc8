package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.data.CommitLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever a loss of power leaves of a list that is truncated or sealed, or from which elements are removed, is the
 * list of before or of after: at each moment between two of the files that are forced, with as little on the disk as
 * the system promises, and with as much as it may have.
 */
@ParameterizedClass
@EnumSource(ListLayout.class)
class PowerLossTest {
    private static final int ROWS = 200;

    record Entry(String id, long value) {
        static Entry of(long value) {
            return new Entry("r" + value, value);
        }
    }

    @TempDir
    Path temp;

    private final ListLayout layout;

    PowerLossTest(ListLayout layout) {
        this.layout = layout;
    }

    private HugeListBuilder<Entry> builder() {
        return layout.builder(Entry.class).rowsPerBlock(64).identity("id");
    }

    /** What takes elements away. */
    private interface Change {
        void of(HugeList<Entry> list) throws IOException;
    }

    @Test
    void aListThatIsTruncatedHasAllRowsOrThoseThatAreLeft() throws IOException {
        losesPower("middle", 100, list -> list.truncate(100));
        losesPower("edge", 64, list -> list.truncate(64));
        losesPower("all", 0, list -> list.truncate(0));
    }

    @Test
    void aListFromWhichElementsAreRemovedHasAllOfThemOrNone() throws IOException {
        losesPower("some", 150, list -> list.removeIf(entry -> entry.value() >= 150));
        losesPower("many", 10, list -> list.removeIf(entry -> entry.value() >= 10));
        losesPower("none left", 0, list -> list.removeIf(_ -> true));
    }

    @Test
    void aListThatIsSealedHasAllElements() throws IOException {
        losesPower("sealed", ROWS, list -> assertThat(list.seal()).isPositive());
        losesPower("unsealed", ROWS, HugeList::seal, list -> {
            list.set(70, Entry.of(70));
            list.commit(CommitLevel.SYNC);
        });
        losesPower("unsealed without SYNC", ROWS, HugeList::seal, list -> {
            list.set(70, Entry.of(70));
            list.commit();
        });
    }

    @Test
    void aSealedListThatIsTruncatedHasAllRowsOrThoseThatAreLeft() throws IOException {
        losesPower("sealed middle", 100, HugeList::seal, list -> list.truncate(100));
        losesPower("sealed edge", 64, HugeList::seal, list -> list.truncate(64));
        losesPower("sealed some", 150, HugeList::seal, list -> list.removeIf(entry -> entry.value() >= 150));
    }

    private void losesPower(String name, int left, Change change) throws IOException {
        losesPower(name, left, _ -> {}, change);
    }

    /** The change leaves the first elements. */
    private void losesPower(String name, int left, Change first, Change change) throws IOException {
        Path folder = temp.resolve(name);
        Map<String, byte[]> before;
        List<String> forced;
        try (HugeList<Entry> list = builder().create(folder)) {
            for (int i = 0; i < ROWS; i++) {
                list.add(Entry.of(i));
            }
            list.commit(CommitLevel.SYNC);
            first.of(list);
            before = files(folder);
            forced = SyncCommitTest.forced(folder, temp, () -> change.of(list));
        }
        Map<String, byte[]> after = files(folder);
        int commit = forced.lastIndexOf("commit.next");
        int end = commit + 1 + forced.subList(commit + 1, forced.size()).indexOf("");
        assertThat(end).as("%s", forced).isGreaterThan(commit);
        for (int done = 0; done <= forced.size(); done++) {
            List<String> onDisk = forced.subList(0, done);
            Map<String, byte[]> least = least(before, after, onDisk);
            Map<String, byte[]> leastAndCommit = new TreeMap<>(least);
            if (onDisk.contains("commit.next")) {
                leastAndCommit.put("commit", after.get("commit"));
            }
            int variant = 0;
            for (Map<String, byte[]> found : List.of(least, leastAndCommit, most(before, after, onDisk))) {
                Path lost = temp.resolve(name + " " + done + " " + variant++);
                write(found, lost);
                int size = sizeOf(lost);
                if (done <= commit) {
                    assertThat(size).as("after %s", onDisk).isEqualTo(ROWS);
                } else if (done > end) {
                    assertThat(size).as("after %s", onDisk).isEqualTo(left);
                } else {
                    assertThat(size).as("after %s", onDisk).isIn(ROWS, left);
                }
            }
        }
    }

    /** A file that was forced is there if its folder was forced after it. */
    private static Map<String, byte[]> least(
            Map<String, byte[]> before, Map<String, byte[]> after, List<String> forced) {
        Map<String, byte[]> files = new TreeMap<>(before);
        for (int i = 0; i < forced.size(); i++) {
            String file = forced.get(i);
            String named = file.replace(".next", "");
            String around = named.contains("/") ? named.substring(0, named.indexOf('/')) : "";
            boolean isNamed = forced.subList(i, forced.size()).contains(around)
                    && (around.isEmpty()
                            || before.keySet().stream().anyMatch(each -> each.startsWith(around + "/"))
                            || forced.subList(i, forced.size()).contains(""));
            if (after.containsKey(named) && (isNamed || before.containsKey(file))) {
                files.put(named, after.get(named));
            }
        }
        return files;
    }

    /** All new names are there, with nothing in the files that were not forced; and what was done to the others. */
    private static Map<String, byte[]> most(
            Map<String, byte[]> before, Map<String, byte[]> after, List<String> forced) {
        Map<String, byte[]> files = new TreeMap<>(before);
        after.forEach((file, bytes) -> {
            boolean isNew = !before.containsKey(file);
            boolean isRenamed = file.endsWith("commit") || forced.contains(file + ".next");
            if (forced.contains(file) || forced.contains(file + ".next")) {
                files.put(file, bytes);
            } else if (isNew) {
                files.put(file, new byte[0]);
            } else if (!isRenamed && !file.startsWith("block-")) {
                files.put(file, bytes);
            }
        });
        return files;
    }

    private int sizeOf(Path folder) throws IOException {
        try (HugeList<Entry> list = builder().open(folder)) {
            list.verify();
            List<Entry> wanted = new ArrayList<>();
            for (int i = 0; i < list.size(); i++) {
                wanted.add(Entry.of(i));
                assertThat(list.rowOf("r" + i)).isEqualTo(i);
            }
            assertThat(list.asList()).isEqualTo(wanted);
            assertThat(list.rowOf("r" + list.size())).isEqualTo(-1);
            return (int) list.size();
        }
    }

    private static Map<String, byte[]> files(Path folder) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(folder.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return files;
    }

    private static void write(Map<String, byte[]> files, Path folder) throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
    }
}
