package io.slipstream.lab.run.quiet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slipstream.lab.Pinning;
import org.junit.jupiter.api.Test;

class DistanceTest {

    @Test
    void isMeasuredAsOftenAsItIsAskedForAndUnknownAfterTheEnd() throws Exception {
        assumeTrue(
                Runtime.getRuntime().availableProcessors() > 1 && Pinning.isPossible(),
                "nobody can be pinned here: " + Pinning.obstacle());
        Distance distance = new Distance();
        try (distance) {
            assertThat(distance.nanos()).isPositive();
            assertThat(distance.nanos()).isPositive();
        }
        assertThat(distance.nanos()).isNaN();
    }
}
