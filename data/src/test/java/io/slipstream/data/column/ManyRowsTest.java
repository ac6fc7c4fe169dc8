package io.slipstream.data.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.memory.Region;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManyRowsTest {
    private static final int ROWS_PER_BLOCK = 1 << 26;

    /** All blocks are the same memory, so that more than 2^31 rows cost 8 MiB. */
    @Test
    void countsAndFindsBitsPastTheRangeOfAnInt() {
        long rows = (1L << 31) + 100;
        try (Table table = new Table(BlockLayout.ofColumns(List.of(Width.BIT), ROWS_PER_BLOCK), BlockStore.ofMemory());
                Region region = Region.allocate(table.layout().bytes())) {
            Block block = new Block(region.segment());
            region.segment().set(Layouts.LONG, table.layout().offset(0), 0b1001);
            table.adopt(Collections.nCopies(33, block), rows);
            BitColumn bits = new BitColumn(table, 0);
            assertThat(bits.count()).isEqualTo(66);
            assertThat(bits.get(1L << 31)).isTrue();
            assertThat(bits.get((1L << 31) + 3)).isTrue();
            assertThat(bits.get((1L << 31) + 4)).isFalse();
            RowSet set = bits.where();
            assertThat(set.contains((1L << 31) + 3)).isTrue();
            assertThat(set.not().count()).isEqualTo(rows - 66);
            assertThatThrownBy(() -> bits.get(rows))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("row " + rows);
        }
    }

    @Test
    void refusesBlocksThatAreNoPowerOfTwo() {
        assertThatThrownBy(() -> BlockLayout.ofColumns(List.of(Width.INT), 100)).hasMessageContaining("power of two");
    }
}
