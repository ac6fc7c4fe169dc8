package io.slipstream.core.queue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
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
        assertThat(queue).containsExactly(1);
        assertThat(queue.peek()).isEqualTo(1);
        assertThat(queue.poll()).isEqualTo(1);
        assertThat(queue.poll()).isNull();
        assertThat(queue.relaxedPoll()).isNull();
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.offer(2)).isFalse();
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
