package io.slipstream.core.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.slipstream.core.thread.WaitStrategy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Waiting ends when nothing can come any more. */
class ClosedWaitingQueueTest {
    private static final Set<Thread.State> PARKED = Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

    private final WaitingQueue<Integer> queue = new ManyToManyQueue<Integer>(2).waiting(WaitStrategy.parking());

    private static <V> FutureTask<V> waiting(Callable<V> call) {
        FutureTask<V> task = new FutureTask<>(call);
        Thread thread = Thread.ofPlatform().daemon().start(task);
        while (!PARKED.contains(thread.getState())) {
            Thread.onSpinWait();
        }
        return task;
    }

    private Void put(int element) throws InterruptedException {
        queue.put(element);
        return null;
    }

    @Test
    void aCloseWakesThoseWhoWaitForAnElement() throws Exception {
        FutureTask<Integer> taker = waiting(queue::take);
        FutureTask<Integer> poller = waiting(() -> queue.poll(1, TimeUnit.HOURS));
        FutureTask<Integer> drainer = waiting(() -> queue.drain(element -> {}, 5));
        queue.close();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(taker::get)
                .withMessageContaining("was closed, and nothing is left");
        assertThat(poller.get()).isNull();
        assertThat(drainer.get()).isZero();
    }

    @Test
    void aCloseWakesThoseWhoWaitForRoom() throws Exception {
        queue.put(1);
        queue.put(2);
        FutureTask<Void> putter = waiting(() -> put(3));
        FutureTask<Boolean> offerer = waiting(() -> queue.offer(4, 1, TimeUnit.HOURS));
        queue.close();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(putter::get)
                .withMessageContaining("was closed; refused: 3");
        assertThat(offerer.get()).isFalse();
        assertThat(queue).containsExactly(1, 2);
    }

    @Test
    void whatWasAcceptedBeforeTheCloseIsStillTaken() throws Exception {
        queue.put(1);
        queue.put(2);
        queue.close();
        assertThat(queue.isClosed()).isTrue();
        assertThatIllegalStateException().isThrownBy(() -> put(3));
        assertThat(queue.take()).isEqualTo(1);
        assertThatIllegalStateException().as("also where there is room").isThrownBy(() -> put(3));
        assertThat(queue.poll(1, TimeUnit.HOURS)).isEqualTo(2);
        assertThatIllegalStateException().isThrownBy(queue::take);
    }

    @ParameterizedTest
    @EnumSource
    void aQueueThatCannotBeClosedSaysSo(QueueKinds kind) {
        WaitingQueue<Integer> view = kind.<Integer>create(4).waiting(WaitStrategy.parking());
        if (List.of(QueueKinds.MANY_TO_ONE, QueueKinds.MANY_TO_MANY).contains(kind)) {
            view.close();
            assertThat(view.isClosed()).isTrue();
        } else {
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(view::close)
                    .withMessageContaining("cannot be closed");
            assertThat(view.isClosed()).isFalse();
        }
    }
}
