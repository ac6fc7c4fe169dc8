package io.slipstream.core.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class KeyLaneTest {
    private final KeyLane lane = new KeyLane("key");
    private final PlaceCount places = new PlaceCount(8);
    private final List<Runnable> withdrawn = new ArrayList<>();

    /** A task of its own each time. */
    private static Runnable task() {
        return new Runnable() {
            @Override
            public void run() {
                throw new AssertionError("it was to be taken back");
            }
        };
    }

    private Runnable add() {
        Runnable task = task();
        assertThat(places.tryAdmit()).isTrue();
        lane.add(task);
        return task;
    }

    @Test
    void oneGapStandsForAllThatWereTakenBack() {
        List<Runnable> tasks = List.of(add(), add(), add());
        lane.withdrawAll(withdrawn, places);
        assertThat(withdrawn).isEqualTo(tasks);
        assertThat(places.count()).isZero();
        assertThat(lane.pending).isEqualTo(3);
        KeyLane.Link gap = lane.takePending();
        assertThat(gap.takeTask()).isNull();
        assertThat(lane.lower(gap.count)).as("nothing is left").isTrue();
        assertThat(lane.retire()).isTrue();
    }

    @Test
    void aGapKeepsItsCountWhateverComesNext() {
        add();
        add();
        lane.withdrawAll(withdrawn, places);
        assertThat(lane.replaceFirst(() -> {})).as("a gap is not replaced").isNull();
        Runnable late = add();
        lane.withdrawAll(withdrawn, places);
        lane.withdrawAll(withdrawn, places);
        assertThat(withdrawn).hasSize(3).endsWith(late);
        assertThat(lane.takePending().count).isEqualTo(3);
        assertThat(lane.lower(3)).isTrue();
    }

    @Test
    void thereIsNothingToTakeBackBehindTheTaskThatRuns() {
        add();
        KeyLane.Link running = lane.takePending();
        lane.withdrawAll(withdrawn, places);
        assertThat(withdrawn).isEmpty();
        assertThat(lane.replaceFirst(() -> {})).isNull();
        assertThat(lane.lower(running.count)).isTrue();
    }

    @Test
    void shutdownNowTakesWhatWaitsBehindARunningTaskBackInOrderAndTheExecutorEnds() throws Exception {
        LockFreeExecutor executor = LockFreeExecutor.builder().capacity(16).build();
        CountDownLatch begun = new CountDownLatch(1);
        BoundedExecutor ofKey = executor.forKey("key");
        ofKey.execute(() -> {
            begun.countDown();
            try {
                Thread.sleep(TimeUnit.MINUTES.toMillis(1));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Await.done(begun);
        List<Runnable> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Runnable task = task();
            ofKey.execute(task);
            waiting.add(task);
        }
        assertThat(executor.shutdownNow()).isEqualTo(waiting);
        assertThat(executor.shutdownNow()).isEmpty();
        Await.ended(executor);
        assertThat(executor.stats().keyedDepth()).isZero();
        assertThat(executor.stats().failed()).isZero();
    }
}
