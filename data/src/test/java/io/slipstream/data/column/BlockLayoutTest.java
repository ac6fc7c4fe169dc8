package io.slipstream.data.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.memory.Region;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BlockLayoutTest {
    private static final int ROWS = 64;
    private static final List<Width> WIDTHS =
            List.of(Width.BIT, Width.BYTE, Width.LONG, Width.CHAR, Width.BIT, Width.DOUBLE, Width.INT, Width.FLOAT);

    @Test
    void aRowHasItsWidestValuesFirst() {
        BlockLayout layout = new BlockLayout(WIDTHS, List.of(8), ROWS);
        int[] offsets = new int[WIDTHS.size()];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = layout.offset(i) - Block.HEADER_BYTES;
            assertThat(layout.step(i)).isEqualTo(32);
            assertThat(layout.isAlone(i)).isFalse();
        }
        assertThat(offsets).containsExactly(26, 27, 0, 24, 28, 8, 16, 20);
        assertThat(layout.bytes()).isEqualTo(Block.HEADER_BYTES + 32 * ROWS);
    }

    @Test
    void columnsThatAreAloneLieAsArrays() {
        BlockLayout layout = BlockLayout.ofColumns(WIDTHS, ROWS);
        assertThat(layout.isOfColumns()).isTrue();
        assertThat(layout.step(0)).isEqualTo(BlockLayout.PACKED);
        assertThat(layout.offset(1)).isEqualTo(128);
        assertThat(layout.step(2)).isEqualTo(8);
        assertThat(layout.isAlone(2)).isTrue();
    }

    /** No two values share a byte, whatever the groups are, and those that are read at once are aligned. */
    @Test
    void everyValueHasAPlaceOfItsOwn() {
        SplittableRandom random = new SplittableRandom(35);
        for (int round = 0; round < 200; round++) {
            List<Width> widths = new ArrayList<>();
            List<Integer> groups = new ArrayList<>();
            for (int i = random.nextInt(1, 5); i > 0; i--) {
                int columns = random.nextInt(1, 6);
                groups.add(columns);
                for (int k = 0; k < columns; k++) {
                    widths.add(Width.values()[random.nextInt(Width.values().length)]);
                }
            }
            BlockLayout layout = new BlockLayout(widths, groups, ROWS);
            byte[] taken = new byte[(int) layout.bytes()];
            for (int column = 0; column < widths.size(); column++) {
                int width = Math.max(1, widths.get(column).bytes());
                assertThat(layout.offset(column) % width).isZero();
                for (int row = 0; row < (layout.step(column) == BlockLayout.PACKED ? 8 : ROWS); row++) {
                    int at = layout.step(column) == BlockLayout.PACKED
                            ? layout.offset(column) + row
                            : (int) layout.address(column, row);
                    assertThat(at % width).isZero();
                    for (int i = at; i < at + width; i++) {
                        assertThat(taken[i]++).as("%s %s", widths, groups).isZero();
                    }
                }
            }
            assertThat(layout.groups()).isEqualTo(groups);
        }
    }

    @Test
    void copiesRowsAndCountsThemInTheChecksum() {
        for (List<Integer> groups : List.of(List.of(8), List.of(1, 1, 1, 1, 1, 1, 1, 1), List.of(1, 3, 2, 2))) {
            BlockLayout layout = new BlockLayout(WIDTHS, groups, ROWS);
            try (Region from = Region.allocate(layout.bytes());
                    Region to = Region.allocate(layout.bytes())) {
                fill(from.segment());
                layout.copyRows(from.segment(), 11, to.segment(), 3, 40);
                for (int row = 0; row < 40; row++) {
                    assertThat(layout.bit(to.segment(), 0, 3 + row)).isEqualTo(layout.bit(from.segment(), 0, 11 + row));
                    assertThat(to.segment().get(Layouts.LONG, layout.address(2, 3 + row)))
                            .isEqualTo(from.segment().get(Layouts.LONG, layout.address(2, 11 + row)));
                }
                assertThat(to.segment().get(Layouts.LONG, layout.address(2, 43)))
                        .isZero();
                int crc = layout.checksum(to.segment(), 43);
                to.segment().set(Layouts.BYTE, layout.address(1, 43), (byte) 1);
                assertThat(layout.checksum(to.segment(), 43)).isEqualTo(crc);
                to.segment().set(Layouts.BYTE, layout.address(1, 42), (byte) 99);
                assertThat(layout.checksum(to.segment(), 43)).isNotEqualTo(crc);
            }
        }
    }

    private static void fill(MemorySegment memory) {
        SplittableRandom random = new SplittableRandom(1);
        for (long at = 0; at < memory.byteSize(); at++) {
            // So that a bit in a byte of its own is 0 or 1.
            memory.set(Layouts.BYTE, at, (byte) random.nextInt(2));
        }
    }

    @Test
    void onlyTheEndOfAGroupIsOneOfABlockOfFewerColumns() {
        BlockLayout layout = new BlockLayout(WIDTHS, List.of(5, 3), ROWS);
        assertThat(layout.bytes(5)).isEqualTo(new BlockLayout(WIDTHS.subList(0, 5), List.of(5), ROWS).bytes());
        assertThat(layout.bytes(8)).isEqualTo(layout.bytes());
        assertThatThrownBy(() -> layout.bytes(4)).hasMessage("no group ends with column 4 of [5, 3]");
    }

    @Test
    void refusesGroupsThatAreNotTheColumnsAndBlocksThatAreTooLarge() {
        assertThatThrownBy(() -> new BlockLayout(WIDTHS, List.of(7), ROWS))
                .hasMessage("groups of [7] columns are not 8");
        assertThatThrownBy(() -> new BlockLayout(WIDTHS, List.of(8, 0), ROWS)).hasMessageContaining("[8, 0]");
        assertThatThrownBy(() -> new BlockLayout(WIDTHS, List.of(8), 1 << 26)).hasMessageContaining("more than 1 GiB");
        assertThatThrownBy(() -> BlockLayout.ofColumns(WIDTHS, 1 << 26)).hasMessageContaining("more than 1 GiB");
    }
}
