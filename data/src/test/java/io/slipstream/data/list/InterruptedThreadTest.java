package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.data.CommitLevel;
import io.slipstream.data.annotation.Id;
import io.slipstream.data.annotation.Name;
import io.slipstream.data.annotation.Since;
import io.slipstream.data.index.BytesLongIndex;
import io.slipstream.data.index.LongLongIndex;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An interrupted thread makes, fills, commits and opens files as any other does, and stays interrupted. */
class InterruptedThreadTest {
    record Named(long id, String text) {}

    @Id(1)
    @Name("Row")
    record Before(long id) {}

    @Id(1)
    @Name("Row")
    record After(long id, @Since(2) int count) {}

    @TempDir
    Path temp;

    @BeforeEach
    void interrupt() {
        Thread.currentThread().interrupt();
    }

    @AfterEach
    void clear() {
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aListIsWrittenAndRead() throws Exception {
        Path folder = temp.resolve("list");
        HugeListBuilder<Named> builder =
                HugeList.builder(Named.class).rowsPerBlock(64).identity("id");
        try (HugeList<Named> list = builder.create(folder)) {
            for (long i = 0; i < 200; i++) {
                list.add(new Named(i, "text " + i));
                if (i % 50 == 0) {
                    list.commit();
                }
            }
            list.commit();
        }
        try (HugeList<Named> list = builder.open(folder)) {
            assertThat(list.get(150)).isEqualTo(new Named(150, "text 150"));
        }
    }

    @Test
    void indexesAreWrittenAndRead() throws Exception {
        byte[] key = "key".getBytes(StandardCharsets.UTF_8);
        try (LongLongIndex longs = LongLongIndex.create(temp.resolve("longs"), -1);
                BytesLongIndex bytes = BytesLongIndex.create(temp.resolve("bytes"), -1)) {
            longs.put(7, 49);
            bytes.put(key, 3);
            longs.commit();
            bytes.commit();
        }
        try (LongLongIndex longs = LongLongIndex.open(temp.resolve("longs"));
                BytesLongIndex bytes = BytesLongIndex.open(temp.resolve("bytes"))) {
            assertThat(longs.get(7)).isEqualTo(49);
            assertThat(bytes.get(key)).isEqualTo(3);
        }
    }

    @Test
    void whatIsCommittedIsForced() throws Exception {
        Path folder = temp.resolve("forced");
        HugeListBuilder<Named> builder =
                HugeList.builder(Named.class).rowsPerBlock(64).identity("id");
        try (HugeList<Named> list = builder.create(folder);
                LongLongIndex index = LongLongIndex.create(temp.resolve("index"), -1)) {
            list.add(new Named(1, "text"));
            list.commit(CommitLevel.SYNC);
            index.put(7, 49);
            index.commit(CommitLevel.SYNC);
        }
        try (HugeList<Named> list = builder.open(folder)) {
            assertThat(list.get(0)).isEqualTo(new Named(1, "text"));
        }
    }

    @Test
    void elementsAreRemoved() throws Exception {
        Path folder = temp.resolve("removed");
        HugeListBuilder<Named> builder =
                HugeList.builder(Named.class).rowsPerBlock(64).identity("id");
        try (HugeList<Named> list = builder.create(folder)) {
            for (long i = 0; i < 200; i++) {
                list.add(new Named(i, "text " + i));
            }
            assertThat(list.removeIf(named -> named.id() < 100)).isEqualTo(100);
        }
        try (HugeList<Named> list = builder.open(folder)) {
            assertThat(list.get(0)).isEqualTo(new Named(100, "text 100"));
        }
    }

    @Test
    void aListGetsFurtherColumns() throws Exception {
        Path folder = temp.resolve("grown");
        try (HugeList<Before> list = HugeList.builder(Before.class).create(folder)) {
            list.add(new Before(5));
            list.commit();
        }
        try (HugeList<After> list = HugeList.builder(After.class).open(folder)) {
            assertThat(list.get(0)).isEqualTo(new After(5, 0));
        }
    }

    @Test
    void aListIsWrittenAsArrow() throws Exception {
        Path file = temp.resolve("list.arrow");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (HugeList<Named> list = HugeList.of(Named.class)) {
            for (long i = 0; i < 200_000; i++) {
                list.add(new Named(i, "text"));
            }
            ListArrow.writeFile(list, file);
            ListArrow.writeFile(list, out);
            ListArrow.writeStream(list, OutputStream.nullOutputStream());
        }
        assertThat(file).hasBinaryContent(out.toByteArray());
    }
}
