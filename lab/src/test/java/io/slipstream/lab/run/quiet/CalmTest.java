package io.slipstream.lab.run.quiet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CalmTest {
    private static final double ROUND_MICROS = 200_000;

    @Test
    void aLongStallWhileAProcessorWasFreeIsADisturbance() {
        double limit = Calm.stallLimitMicros(1, 2, ROUND_MICROS, 0);
        assertThat(late(500_000, limit).isDisturbed()).isTrue();
        assertThat(late(500_000, limit).othersRan()).isFalse();
        assertThat(late(10_000, limit).isDisturbed()).isFalse();
    }

    @Test
    void anIdleThreadMayHaveToWaitForThreadsThatTakeEveryProcessor() {
        assertThat(late(500_000, Calm.stallLimitMicros(2, 2, ROUND_MICROS, 0)).isDisturbed())
                .isFalse();
    }

    @Test
    void theCollectorsOwnPausesAreNoDisturbance() {
        assertThat(late(500_000, Calm.stallLimitMicros(1, 2, ROUND_MICROS, 480_000))
                        .isDisturbed())
                .isFalse();
    }

    @Test
    void longRoundsBearLongerStalls() {
        assertThat(late(500_000, Calm.stallLimitMicros(1, 2, 20e6, 0)).isDisturbed())
                .isFalse();
    }

    @Test
    void ofSeveralForksTheOneThatStoodStillCounts() {
        Calm good = late(60_000, 0);
        Calm bad = late(55_000, 50_000);
        assertThat(good.worse(bad).stoodStill()).isTrue();
        assertThat(bad.worse(good).stoodStill()).isTrue();
        assertThat(late(3, 50).worse(late(40, 50)).hiccupMaxMicros()).isEqualTo(40);
    }

    @Test
    void aTraceKeepsTheWorstHoweverLongItTakes() {
        Trace.Recorder recorder = new Trace.Recorder(10_000_000);
        for (long at = 0; at < 100_000_000_000L; at += 1_000_000) {
            recorder.add(at, at == 50_000_000_000L ? 7_000_000 : 20_000);
        }
        Trace trace = recorder.trace();
        assertThat(trace.worstMicros()).hasSizeBetween(33, 64).contains(7_000).contains(20);
        assertThat(trace.worstMicros().stream().filter(worst -> worst == 7_000)).hasSize(1);
        assertThat(trace.stepMillis() * trace.worstMicros().size()).isBetween(99_000.0, 103_000.0);
        assertThat(trace.worstMicros().indexOf(7_000)).isBetween(14, 33);
    }

    @Test
    void aShortTraceHasTheStepsThatThereWere() {
        Trace.Recorder recorder = new Trace.Recorder(10_000_000);
        recorder.add(5_000_000, 1_000);
        recorder.add(25_000_000, 3_000);
        assertThat(recorder.trace()).isEqualTo(new Trace(10, List.of(1, 0, 3)));
    }

    private static Calm late(double maxMicros, double limitMicros) {
        return new Calm(0, maxMicros, 0, 0, limitMicros, Trace.NONE);
    }
}
