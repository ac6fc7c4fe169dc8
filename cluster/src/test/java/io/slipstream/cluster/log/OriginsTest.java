package io.slipstream.cluster.log;

import static io.slipstream.cluster.log.Origins.Verdict.BEGINS;
import static io.slipstream.cluster.log.Origins.Verdict.DROPPED;
import static io.slipstream.cluster.log.Origins.Verdict.FOLLOWS;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OriginsTest {
    private final Origins origins = new Origins();

    @Test
    void letsEachBatchThroughOnceAndInOrder() {
        assertThat(origins.admit(1, 100, true, 0, 64)).isEqualTo(BEGINS);
        assertThat(origins.admit(1, 100, false, 64, 128)).isEqualTo(FOLLOWS);
        assertThat(origins.admit(1, 100, false, 64, 128)).isEqualTo(DROPPED);
        assertThat(origins.admit(1, 100, false, 192, 256)).isEqualTo(DROPPED);
        assertThat(origins.admit(1, 100, false, 128, 256)).isEqualTo(FOLLOWS);
    }

    @Test
    void takesNothingOfAFormerLifeOnceANewOneHasBegun() {
        origins.admit(2, 100, true, 0, 64);
        assertThat(origins.admit(2, 101, false, 64, 128)).isEqualTo(DROPPED);
        assertThat(origins.admit(2, 101, true, 0, 64)).isEqualTo(BEGINS);
        assertThat(origins.admit(2, 100, true, 0, 64)).isEqualTo(DROPPED);
        assertThat(origins.admit(2, 100, false, 64, 128)).isEqualTo(DROPPED);
        assertThat(origins.admit(2, 101, true, 0, 64)).isEqualTo(DROPPED);
    }

    @Test
    void tellsMembersApart() {
        origins.admit(0, 100, true, 0, 64);
        assertThat(origins.admit(1, 90, true, 0, 32)).isEqualTo(BEGINS);
        assertThat(origins.admit(0, 100, false, 64, 96)).isEqualTo(FOLLOWS);
    }
}
