package io.slipstream.lab.tool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EditDistanceTest {

    @Test
    void countsLettersPutInLeftOutAndChanged() {
        assertThat(EditDistance.between("thraeds", "threads")).isEqualTo(2);
        assertThat(EditDistance.between("run", "runs")).isEqualTo(1);
        assertThat(EditDistance.between("", "lab")).isEqualTo(3);
        assertThat(EditDistance.between("lab", "lab")).isZero();
    }
}
