package io.slipstream.core.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuSetTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0-3", "0-3,8,10-11", "63-64", "8191"})
    void readsAndWritesTheListFormOfTheSystem(String list) {
        assertThat(CpuSet.parse(list)).hasToString(list);
        assertThat(CpuSet.parse(" " + list + "\n")).isEqualTo(CpuSet.parse(list));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "3-1", "-1", "1,,2", "0-", "8192", "1-99999999999"})
    void namesAListThatItDoesNotUnderstand(String list) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CpuSet.parse(list))
                .withMessageContaining("'" + list + "'");
    }

    @Test
    void combinesSets() {
        CpuSet set = CpuSet.parse("0-5");
        assertThat(set.and(CpuSet.of(4, 5, 6))).isEqualTo(CpuSet.of(4, 5));
        assertThat(set.minus(CpuSet.of(0))).hasToString("1-5");
        assertThat(set.containsAll(CpuSet.of(1, 2))).isTrue();
        assertThat(set.containsAll(CpuSet.of(9))).isFalse();
        assertThat(set.contains(9)).isFalse();
        assertThat(set.size()).isEqualTo(6);
        assertThat(CpuSet.empty().isEmpty()).isTrue();
    }
}
