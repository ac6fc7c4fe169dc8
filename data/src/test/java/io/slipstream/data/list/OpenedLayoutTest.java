package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A list is opened as it was created, and never as something else that was asked for. */
class OpenedLayoutTest {
    record Pair(long key, boolean isSet) {}

    @TempDir
    Path folder;

    private void create(HugeListBuilder<Pair> builder) throws IOException {
        try (HugeList<Pair> list = builder.create(folder)) {
            list.add(new Pair(7, true));
            list.commit();
        }
    }

    @Test
    void aListByRowsOpensWithoutAWordAboutIt() throws IOException {
        create(HugeList.builder(Pair.class).byRows());
        try (HugeList<Pair> list = HugeList.builder(Pair.class).open(folder)) {
            assertThat(list.asList()).containsExactly(new Pair(7, true));
            list.add(new Pair(8, false));
            list.commit();
        }
        try (HugeList<Pair> list = HugeList.builder(Pair.class).byRows().openReadOnly(folder)) {
            assertThat(list.asList()).containsExactly(new Pair(7, true), new Pair(8, false));
        }
        assertThat(ByteBuffer.wrap(Files.readAllBytes(folder.resolve("commit"))).getInt(8))
                .isEqualTo(4);
    }

    @Test
    void aListByColumnsIsNotOpenedByRows() throws IOException {
        create(HugeList.builder(Pair.class));
        assertThatThrownBy(() -> HugeList.builder(Pair.class).byRows().open(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("leave byRows() (--by-rows) out");
        assertThatThrownBy(() -> HugeList.builder(Pair.class).byRows().openReadOnly(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("leave byRows() (--by-rows) out");
    }

    @Test
    void aListIsNotOpenedWithOtherBlocks() throws IOException {
        create(HugeList.builder(Pair.class).rowsPerBlock(128));
        HugeList.builder(Pair.class).rowsPerBlock(128).open(folder).close();
        assertThatThrownBy(() -> HugeList.builder(Pair.class).rowsPerBlock(64).open(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has 128 rows to a block, not 64; open it without rowsPerBlock()");
    }

    @Test
    void aListOfOneFieldIsBoth() throws IOException {
        record One(long value) {}
        try (HugeList<One> list = HugeList.builder(One.class).byRows().create(folder)) {
            list.add(new One(5));
            list.commit();
        }
        try (HugeList<One> list = HugeList.builder(One.class).byRows().open(folder)) {
            assertThat(list.longs("value").sum()).isEqualTo(5);
        }
    }
}
