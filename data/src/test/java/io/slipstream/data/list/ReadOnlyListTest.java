package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Readers of a list in files beside the process that changes it. */
@ParameterizedClass
@EnumSource(ListLayout.class)
class ReadOnlyListTest {
    interface Trade {
        long id();

        Trade id(long value);

        String symbol();

        Trade symbol(String value);
    }

    @TempDir
    Path folder;

    private final ListLayout layout;

    ReadOnlyListTest(ListLayout layout) {
        this.layout = layout;
    }

    private HugeListBuilder<Trade> builder() {
        return layout.builder(Trade.class).identity("id").rowsPerBlock(64);
    }

    private static void add(HugeList<Trade> list, int from, int to) {
        for (int id = from; id < to; id++) {
            list.append().id(id).symbol("S" + id % 10);
        }
    }

    @Test
    void aReaderSeesTheLastCommitWhileTheOwnerGoesOn() throws IOException {
        try (HugeList<Trade> owner = builder().create(folder)) {
            add(owner, 0, 100);
            owner.commit();
            try (HugeList<Trade> reader = builder().openReadOnly(folder)) {
                add(owner, 100, 300);
                assertThat(reader.size()).isEqualTo(100);
                assertThat(reader.longs("id").sum()).isEqualTo(4950);
                assertThat(reader.rowOf(99)).isEqualTo(99);
                assertThat(reader.rowOf(100)).isEqualTo(-1);
                owner.commit();
                reader.verify();
                assertThat(reader.whereText("symbol", "S1").count()).isEqualTo(10);
            }
            try (HugeList<Trade> reader = builder().openReadOnly(folder)) {
                assertThat(reader.size()).isEqualTo(300);
            }
        }
    }

    @Test
    void aRowThatTheOwnerChangesInPlaceHasEitherValueAndIsNotTakenForDamaged() throws IOException {
        try (HugeList<Trade> owner = builder().create(folder)) {
            add(owner, 0, 100);
            owner.commit();
            try (HugeList<Trade> reader = builder().openReadOnly(folder);
                    HugeList<Trade> later = layout.builder(Trade.class).openReadOnly(folder)) {
                owner.get(3).symbol("NEW");
                assertThat(reader.get(3).symbol()).isEqualTo("NEW");
                add(owner, 100, 120);
                owner.commit();
                later.verify();
                assertThat(later.get(3).symbol()).isEqualTo("NEW");
            }
        }
    }

    @Test
    void damageIsFoundAllTheSame() throws IOException {
        try (HugeList<Trade> owner = builder().create(folder)) {
            add(owner, 0, 100);
            owner.commit();
        }
        byte[] block = Files.readAllBytes(folder.resolve("block-1"));
        block[64 + 16] ^= 1;
        Files.write(folder.resolve("block-1"), block);
        assertThatThrownBy(() -> builder().openReadOnly(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("block-1 is damaged");
        try (HugeList<Trade> reader = layout.builder(Trade.class).openReadOnly(folder)) {
            assertThatThrownBy(() -> reader.longs("id").sum())
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("block-1 is damaged");
        }
    }

    @Test
    void aReaderChangesNothing() throws IOException {
        try (HugeList<Trade> owner = builder().create(folder)) {
            add(owner, 0, 10);
            owner.commit();
        }
        byte[] before = Files.readAllBytes(folder.resolve("block-0"));
        try (HugeList<Trade> reader = builder().openReadOnly(folder)) {
            refused(() -> reader.append());
            refused(() -> reader.append(_ -> {}));
            refused(() -> reader.get(0).symbol("x"));
            refused(() -> reader.set(0, reader.get(1)));
            refused(reader::commit);
            assertThatThrownBy(() -> reader.get(0).id(5))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("was opened for reading only; open() lets this process change it");
        }
        assertThat(Files.readAllBytes(folder.resolve("block-0"))).isEqualTo(before);
        try (HugeList<Trade> owner = builder().open(folder)) {
            assertThat(owner.size()).isEqualTo(10);
        }
    }

    private interface Action {
        void run() throws IOException;
    }

    private static void refused(Action action) {
        assertThatThrownBy(action::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("opened for reading only");
    }
}
