package io.slipstream.data.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowSetTest {
    /** Also where the last word of bits has room for it. */
    @ParameterizedTest
    @ValueSource(longs = {-1, 65, 127, 128, Long.MAX_VALUE})
    void refusesARowThatTheTableDoesNotHave(long row) {
        RowSet set = new RowSet(65);
        assertThatThrownBy(() -> set.add(row))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("row " + row + " is not in a set of 65 rows");
        assertThat(set.count()).isZero();
        set.add(64);
        assertThat(set.count()).isEqualTo(1);
    }
}
