package io.slipstream.lab.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SplitTest {

    @Test
    void fillsWhateverCollectionTheCallerChose() {
        TreeSet<String> sorted = new TreeSet<>();
        assertThat(Split.into(sorted, "c,a,b,a", ',')).isEqualTo(4);
        assertThat(sorted).containsExactly("a", "b", "c");
    }

    @Test
    void keepsEmptyParts() {
        List<String> parts = new ArrayList<>(List.of("before"));
        assertThat(Split.into(parts, ",x,", ',')).isEqualTo(3);
        assertThat(parts).containsExactly("before", "", "x", "");
    }

    @Test
    void emptyTextIsOneEmptyPart() {
        List<String> parts = new ArrayList<>();
        assertThat(Split.into(parts, "", ',')).isEqualTo(1);
        assertThat(parts).containsExactly("");
    }
}
