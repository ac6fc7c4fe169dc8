package io.slipstream.data.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class KeyRecordTest {
    private static final MemorySegment KEY = MemorySegment.ofArray(new byte[8]);

    /** An index that was killed here would else take it for a record that was committed, and call it damaged. */
    @Test
    void whatIsHalfWrittenIntoThePlaceOfADeadRecordIsNoRecord() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment m = arena.allocate(64, 8);
            KeyRecord.write(m, 0, 0, 5, 3, KEY, 0, 8);
            KeyRecord.setDied(m, 0, 4);
            assertThatThrownBy(() -> KeyRecord.write(m, 0, 0, 6, 7, KEY, 1, 8))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThat(KeyRecord.born(m, 0)).isEqualTo(7);
            assertThat(KeyRecord.died(m, 0)).isEqualTo(4);
            KeyRecord.write(m, 0, 0, 6, 7, KEY, 0, 8);
            assertThat(KeyRecord.died(m, 0)).isZero();
            KeyRecord.forget(m, 0, 6);
            assertThat(KeyRecord.born(m, 0)).isZero();
            assertThat(KeyRecord.died(m, 0)).isEqualTo(6);
        }
    }
}
