package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.annotation.Default;
import io.slipstream.data.annotation.Id;
import io.slipstream.data.annotation.Name;
import io.slipstream.data.annotation.Optional;
import io.slipstream.data.annotation.Removed;
import io.slipstream.data.annotation.Scale;
import io.slipstream.data.annotation.Since;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A list outlives the schema that it began with: fields are added, and old rows have their defaults. */
@ParameterizedClass
@EnumSource(ListLayout.class)
class ListEvolutionTest {
    private static final int ROWS = 150;

    @Name("Tif")
    enum OldTif {
        DAY
    }

    @Name("Tif")
    enum NewTif {
        DAY,
        FOREVER
    }

    @Id(7)
    @Name("Trade")
    record First(
            long id,
            String symbol,
            OldTif tif,
            @Optional @Nullable Leg leg) {}

    @Id(8)
    record Leg(int ratio) {}

    @Id(9)
    record Fee(int cents) {}

    @Id(7)
    @Name("Trade")
    record Second(
            long id,
            String symbol,
            NewTif tif,
            @Optional @Nullable Leg leg,
            @Since(2) @Default("x") String note,
            @Since(2) @Default("1.50") @Scale(2) BigDecimal price,
            @Since(2) @Default("FOREVER") NewTif other,
            @Since(2) int count,
            @Since(2) @Nullable Integer box,
            @Since(2) @Default("true") boolean flag,
            @Since(2) @Optional @Nullable String tag,
            @Since(2) @Optional @Nullable Fee fee) {}

    @Id(7)
    @Name("Trade")
    @Removed(name = "symbol", id = 2, type = "string", in = 2)
    record Shrunk(long id, OldTif tif, @Optional @Nullable Leg leg) {}

    @TempDir
    Path folder;

    private final ListLayout layout;

    ListEvolutionTest(ListLayout layout) {
        this.layout = layout;
    }

    private static First first(int id) {
        return new First(id, "S" + id % 7, OldTif.DAY, id % 3 == 0 ? null : new Leg(id));
    }

    private static Second second(int id) {
        First old = first(id);
        return new Second(
                id,
                old.symbol(),
                NewTif.DAY,
                old.leg(),
                "x",
                new BigDecimal("1.50"),
                NewTif.FOREVER,
                0,
                null,
                true,
                null,
                null);
    }

    private static List<Second> rows() {
        return IntStream.range(0, ROWS).mapToObj(ListEvolutionTest::second).toList();
    }

    private void create() throws IOException {
        try (HugeList<First> list =
                layout.builder(First.class).identity("id").rowsPerBlock(64).create(folder)) {
            for (int id = 0; id < ROWS; id++) {
                list.add(first(id));
            }
            list.commit();
        }
    }

    private HugeList<Second> open() throws IOException {
        return layout.builder(Second.class).identity("id").open(folder);
    }

    @Test
    void oldRowsHaveTheDefaultsOfFieldsThatWereAdded() throws IOException {
        create();
        Second added = new Second(
                1000,
                "N",
                NewTif.FOREVER,
                null,
                "n",
                BigDecimal.TEN.setScale(2),
                NewTif.DAY,
                1,
                2,
                false,
                "t",
                new Fee(3));
        try (HugeList<Second> list = open()) {
            assertThat(list.stream().toList()).isEqualTo(rows());
            assertThat(list.whereText("note", "x").count()).isEqualTo(ROWS);
            assertThat(list.longs("box").count()).isZero();
            assertThat(list.rowOf(149)).isEqualTo(149);
            list.add(added);
            list.commit();
        }
        try (HugeList<Second> list = open()) {
            list.verify();
            assertThat(list.get(ROWS)).isEqualTo(added);
            assertThat(list.stream().limit(ROWS).toList()).isEqualTo(rows());
        }
    }

    @Test
    void anUpgradeThatWasKilledBeginsAnew() throws IOException {
        create();
        Files.write(folder.resolve("block-0"), new byte[5_000], StandardOpenOption.APPEND);
        Files.write(folder.resolve("text-note"), new byte[] {0, 0, 0, 1, 'y'});
        try (HugeList<Second> list = open()) {
            assertThat(list.stream().toList()).isEqualTo(rows());
        }
    }

    @Test
    void aDamagedBlockIsRefusedBeforeItGrows() throws IOException {
        create();
        byte[] block = Files.readAllBytes(folder.resolve("block-1"));
        block[64] ^= 1;
        Files.write(folder.resolve("block-1"), block);
        assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessageContaining("block-1 is damaged");
    }

    @Test
    void sealedBlocksGetTheNewFieldsToo() throws IOException {
        create();
        try (HugeList<First> list = layout.builder(First.class).identity("id").open(folder)) {
            assertThat(list.seal()).isEqualTo(ROWS / 64);
        }
        try (HugeList<Second> list = open()) {
            assertThat(list.asList()).isEqualTo(rows());
            assertThat(folder.resolve("block-0.sealed")).doesNotExist();
            assertThat(list.seal()).isEqualTo(ROWS / 64);
            assertThat(list.asList()).isEqualTo(rows());
        }
        try (HugeList<Second> list = open()) {
            list.verify();
            assertThat(list.asList()).isEqualTo(rows());
            assertThat(folder.resolve("block-0.sealed")).exists();
        }
    }

    @Test
    void aDamagedSealedBlockIsRefusedBeforeItGrows() throws IOException {
        create();
        try (HugeList<First> list = layout.builder(First.class).identity("id").open(folder)) {
            list.seal();
        }
        byte[] block = Files.readAllBytes(folder.resolve("block-1.sealed"));
        block[block.length - 64] ^= 1;
        Files.write(folder.resolve("block-1.sealed"), block);
        assertThatThrownBy(this::open)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("block-1.sealed is damaged");
    }

    @Test
    void aFieldThatWasRemovedIsRefused() throws IOException {
        create();
        assertThatThrownBy(() -> layout.builder(Shrunk.class).open(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("another schema")
                .hasMessageContaining("Trade.symbol was removed");
    }

    @Test
    void anEarlierProgramRefusesTheListOfALaterOne() throws IOException {
        create();
        open().close();
        assertThatThrownBy(() -> layout.builder(First.class).open(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("another schema");
    }

    @Test
    void readingOnlyDoesNotUpgrade() throws IOException {
        create();
        assertThatThrownBy(() -> layout.builder(Second.class).openReadOnly(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("open() adds the new fields");
        try (HugeList<First> list = layout.builder(First.class).openReadOnly(folder)) {
            assertThat(list.get(149)).isEqualTo(first(149));
        }
    }
}
