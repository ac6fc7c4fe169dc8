package io.slipstream.core.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.thread.WaitStrategy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long a worker spins before it rests. The test does its turns, in place of its thread, which is never started. */
class ExecutorWorkerTest {
    private static final int SPINS = 512;
    private static final long SHORT_NANOS = 1_000;

    private final List<Integer> ran = new ArrayList<>();
    private final LockFreeExecutor executor = LockFreeExecutor.builder()
            .waitStrategy(new WaitStrategy(SPINS, 0, SHORT_NANOS, SHORT_NANOS, true))
            .threadFactory(worker -> new Thread(worker) {
                @Override
                public void start() {
                    // See above.
                }
            })
            .build();
    private final ExecutorWorker worker = executor.worker(0);

    private void rest() {
        int before = worker.rests;
        while (worker.rests == before) {
            worker.turn();
        }
    }

    private void submitAndRun() {
        int before = ran.size();
        executor.execute(() -> ran.add(before));
        worker.turn();
        assertThat(ran).hasSize(before + 1);
    }

    @Test
    void spinsAsLongAsTheStrategySaysBeforeItRests() {
        worker.turn();
        assertThat(worker.idleRounds).isEqualTo(SPINS);
        assertThat(worker.rests).isZero();
        worker.turn();
        assertThat(worker.rests).isOne();
    }

    @Test
    void eachRestHalvesTheSpinsUntilThereAreNone() {
        List<Integer> spins = new ArrayList<>();
        for (int i = 0; i < 11; i++) {
            rest();
            spins.add(worker.spins);
        }
        assertThat(spins).containsExactly(256, 128, 64, 32, 16, 8, 4, 2, 1, 0, 0);
    }

    @Test
    void aTaskThatEndsARestBringsNoSpinsBack() {
        rest();
        submitAndRun();
        assertThat(worker.spins).isEqualTo(SPINS / 2);
        worker.turn();
        assertThat(worker.idleRounds).isEqualTo(SPINS / 2);
    }

    @Test
    void aTaskThatASpinHasFoundBringsThemAllBack() {
        rest();
        submitAndRun();
        worker.turn();
        submitAndRun();
        assertThat(worker.spins).isEqualTo(SPINS);
    }

    @Test
    void triesTheSpinsAgainFromTimeToTime() {
        for (int i = 0; i < 63; i++) {
            rest();
        }
        assertThat(worker.spins).isZero();
        rest();
        assertThat(worker.spins).isEqualTo(SPINS);
    }

    @Test
    void aVirtualThreadNeverSpins() {
        worker.thread(Thread.ofVirtual().unstarted(worker));
        worker.turn();
        assertThat(worker.rests).isOne();
    }
}
