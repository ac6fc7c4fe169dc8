package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.index.BytesLongIndex;
import io.slipstream.data.index.LongLongIndex;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** This release opens the files that each version of the formats has written, and refuses those of one to come. */
class GoldenFilesTest {
    private static final int COUNT = 100;

    record Entry(long id, boolean odd, String text, Integer box) {
        static Entry of(long id) {
            return new Entry(id, (id & 1) == 1, "t" + id % 10, id % 3 == 0 ? null : (Integer) (int) id);
        }
    }

    @TempDir
    Path temp;

    @ParameterizedTest
    @ValueSource(strings = {"list-1", "list-2", "list-3", "list-4", "list-5"})
    void opensAList(String name) throws IOException {
        Path folder = unzip(name);
        try (HugeList<Entry> list = HugeList.builder(Entry.class).identity("id").open(folder)) {
            list.verify();
            assertThat(list.asList())
                    .isEqualTo(LongStream.range(0, COUNT).mapToObj(Entry::of).toList());
            assertThat(list.rowOf(COUNT - 1)).isEqualTo(COUNT - 1);
            list.add(Entry.of(COUNT));
            list.commit();
        }
        try (HugeList<Entry> list = HugeList.builder(Entry.class).identity("id").open(folder)) {
            assertThat(list.get(COUNT)).isEqualTo(Entry.of(COUNT));
        }
        refusesVersion(
                6,
                folder.resolve("commit"),
                11,
                "this release reads versions 1 to 5",
                () -> HugeList.builder(Entry.class).open(folder).close());
    }

    @ParameterizedTest
    @ValueSource(strings = {"index-1", "index-2"})
    void opensAnIndex(String name) throws IOException {
        Path folder = unzip(name);
        byte version = Files.readAllBytes(folder.resolve("commit"))[8];
        try (LongLongIndex index = LongLongIndex.open(folder)) {
            assertThat(index.size()).isEqualTo(COUNT);
            for (long key = 0; key < COUNT; key++) {
                assertThat(index.get(key)).isEqualTo(key * key);
            }
            index.put(COUNT, 0);
            index.commit();
        }
        assertThat(Files.readAllBytes(folder.resolve("commit"))[8]).isEqualTo(version);
        refusesVersion(
                3,
                folder.resolve("commit"),
                8,
                "this release reads versions 1 and 2",
                () -> LongLongIndex.open(folder).close());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes-index-1", "bytes-index-2"})
    void opensAnIndexOfBytes(String name) throws IOException {
        Path folder = unzip(name);
        try (BytesLongIndex index = BytesLongIndex.open(folder)) {
            assertThat(index.size()).isEqualTo(COUNT);
            for (int i = 0; i < COUNT; i++) {
                assertThat(index.get("key " + i)).isEqualTo(i);
            }
            index.put("key " + COUNT, COUNT);
            index.commit();
        }
    }

    private static void refusesVersion(int version, Path commit, int at, String remedy, ThrowingCallable open)
            throws IOException {
        byte[] bytes = Files.readAllBytes(commit);
        bytes[at] = (byte) version;
        Files.write(commit, bytes);
        assertThatThrownBy(open)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("version " + version + " of the format; " + remedy);
    }

    private Path unzip(String name) throws IOException {
        Path folder = temp.resolve(name);
        try (InputStream in = GoldenFilesTest.class.getResourceAsStream("/io/slipstream/data/golden/" + name + ".zip");
                ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = folder.resolve(entry.getName());
                Files.createDirectories(file.getParent());
                Files.copy(zip, file);
            }
        }
        return folder;
    }

    /**
     * Writes the files of this release, once, when a format gets a new version: {@code GoldenFilesTest FOLDER}. A list
     * without sealed blocks is written as version 4 if it is by rows, as version 3 if elements were removed from it,
     * and else as version 2.
     */
    static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        try (HugeList<Entry> list = HugeList.builder(Entry.class)
                        .rowsPerBlock(64)
                        .byRows()
                        .identity("id")
                        .create(folder.resolve("list"));
                LongLongIndex index = LongLongIndex.create(folder.resolve("index"), -1);
                BytesLongIndex bytes = BytesLongIndex.create(folder.resolve("bytes-index"), -1)) {
            for (long i = 0; i < COUNT; i++) {
                list.add(Entry.of(i));
                index.put(i, i * i);
                bytes.put(("key " + i).getBytes(StandardCharsets.UTF_8), i);
            }
            list.seal();
            index.commit();
            bytes.commit();
        }
        for (Map.Entry<String, Integer> format :
                Map.of("list", 5, "index", 2, "bytes-index", 2).entrySet()) {
            String name = format.getKey();
            try (OutputStream out = Files.newOutputStream(folder.resolve(name + "-" + format.getValue() + ".zip"));
                    ZipOutputStream zip = new ZipOutputStream(out);
                    Stream<Path> files = Files.walk(folder.resolve(name))) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    zip.putNextEntry(
                            new ZipEntry(folder.resolve(name).relativize(file).toString()));
                    Files.copy(file, zip);
                }
            }
        }
    }
}
