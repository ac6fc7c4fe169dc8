package io.slipstream.core.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.slipstream.core.thread.WaitStrategy;
import java.util.List;
import java.util.Queue;
import java.util.Spliterator;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams go over what is there, and never say how much that is. */
class QueueStreamTest {
    @ParameterizedTest
    @EnumSource
    void streamsHaveTheOrderOfTheQueueAndNoSize(QueueKinds kind) {
        BoundedQueue<Integer> queue = kind.create(4096);
        List<Integer> all = IntStream.range(0, 3000).boxed().toList();
        all.forEach(queue::add);
        for (Queue<Integer> view : List.of(queue, queue.waiting(WaitStrategy.parking()))) {
            assertThat(view.spliterator().hasCharacteristics(Spliterator.SIZED)).isFalse();
            assertThat(view.stream().toList()).isEqualTo(all);
            assertThat(view.parallelStream().findFirst()).contains(0);
            assertThat(view.parallelStream().map(i -> i).toList()).isEqualTo(all);
            assertThat(view.stream().sorted().toArray()).hasSize(3000);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStreamAfterASupplierThatFailedHasWhatIsThere(QueueKinds kind) {
        BoundedQueue<Integer> queue = kind.create(8);
        queue.add(1);
        Supplier<Integer> failing = () -> {
            throw new IllegalStateException("no more");
        };
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> queue.fill(failing, 3));
        assertThat(queue.stream().toList()).containsExactly(1);
        assertThat(queue.parallelStream().toArray()).containsExactly(1);
    }

    @Test
    void streamsMayBeCollectedWhileOthersAddAndTake() throws Exception {
        for (QueueKinds kind :
                new QueueKinds[] {QueueKinds.MANY_TO_ONE, QueueKinds.MANY_TO_MANY, QueueKinds.ONE_TO_ONE}) {
            BoundedQueue<Integer> queue = kind.create(64);
            AtomicBoolean running = new AtomicBoolean(true);
            Thread other = Thread.ofPlatform().start(() -> {
                while (running.get()) {
                    for (int i = 0; i < 50; i++) {
                        queue.offer(i);
                    }
                    while (queue.poll() != null) {
                        Thread.onSpinWait();
                    }
                }
            });
            try {
                for (int i = 0; i < 2000; i++) {
                    assertThat(queue.stream().toList()).hasSizeLessThanOrEqualTo(64);
                    assertThat(queue.stream().sorted().toArray()).hasSizeLessThanOrEqualTo(64);
                }
            } finally {
                running.set(false);
                other.join();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aQueueIsNeitherAddedNorDrainedToItselfThroughAView(QueueKinds kind) {
        BoundedQueue<Integer> queue = kind.create(8);
        queue.add(1);
        WaitingQueue<Integer> view = queue.waiting(WaitStrategy.parking());
        WaitingQueue<Integer> other = queue.waiting(WaitStrategy.yielding());
        assertThatIllegalArgumentException().isThrownBy(() -> view.addAll(queue));
        assertThatIllegalArgumentException().isThrownBy(() -> view.addAll(other));
        assertThatIllegalArgumentException().isThrownBy(() -> view.addAll(view));
        assertThatIllegalArgumentException().isThrownBy(() -> queue.addAll(view));
        assertThatIllegalArgumentException().isThrownBy(() -> queue.addAll(queue));
        assertThatIllegalArgumentException().isThrownBy(() -> view.drainTo(other));
        assertThat(queue).hasSize(1);
    }
}
