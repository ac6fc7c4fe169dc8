package io.slipstream.core.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.slipstream.core.thread.WaitStrategy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CloseTest {
    @Test
    void aClosedManyToOneQueueRefusesAllAndGivesWhatIsLeft() {
        ManyToOneQueue<Integer> queue = new ManyToOneQueue<>(4);
        queue.add(1);
        queue.close();
        queue.close();
        assertThat(queue.isClosed()).isTrue();
        assertRefuses(queue);
    }

    @Test
    void aClosedManyToManyQueueRefusesAllAndGivesWhatIsLeft() {
        ManyToManyQueue<Integer> queue = new ManyToManyQueue<>(4);
        queue.add(1);
        queue.close();
        queue.close();
        assertThat(queue.isClosed()).isTrue();
        assertRefuses(queue);
    }

    private static void assertRefuses(BoundedQueue<Integer> queue) {
        assertThat(queue.offer(2)).isFalse();
        assertThat(queue.relaxedOffer(2)).isFalse();
        assertThat(queue.fill(() -> 2, 1)).isZero();
        assertThatIllegalStateException()
                .isThrownBy(() -> queue.add(2))
                .withMessage("the queue was closed; refused: 2");
        assertThatIllegalStateException()
                .isThrownBy(() -> queue.waiting(WaitStrategy.parking()).add(2))
                .withMessage("the queue was closed; refused: 2");
        assertThat(queue).containsExactly(1);
        assertThat(queue.peek()).isEqualTo(1);
        assertThat(queue.poll()).isEqualTo(1);
        assertThat(queue.poll()).isNull();
        assertThat(queue.relaxedPoll()).isNull();
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.offer(2)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void aFullQueueSaysThatItIsFull(QueueKinds kind) {
        BoundedQueue<Integer> queue = kind.create(2);
        assertThat(queue.add(1)).isTrue();
        assertThat(queue.waiting(WaitStrategy.parking()).add(2)).isTrue();
        String words = "the queue is full, with 2 elements; refused: 3";
        assertThatIllegalStateException().isThrownBy(() -> queue.add(3)).withMessage(words);
        assertThatIllegalStateException()
                .isThrownBy(() -> queue.waiting(WaitStrategy.parking()).add(3))
                .withMessage(words);
        assertThat(queue).containsExactly(1, 2);
    }

    @Test
    void everyOfferThatSucceedsBesideACloseIsThere() throws Exception {
        for (int round = 0; round < 2_000; round++) {
            ManyToManyQueue<Integer> queue = new ManyToManyQueue<>(64);
            AtomicInteger accepted = new AtomicInteger();
            Thread producer = Thread.ofVirtual().start(() -> {
                while (queue.offer(1)) {
                    accepted.incrementAndGet();
                }
            });
            queue.close();
            producer.join();
            assertThat(queue).hasSize(accepted.get());
        }
    }
}
