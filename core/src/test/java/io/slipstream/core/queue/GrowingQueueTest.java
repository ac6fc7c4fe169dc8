package io.slipstream.core.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is particular to the queue that grows. */
class GrowingQueueTest {
    @Test
    void goesOnWhenThereWasNoMemoryToGrow() {
        AtomicBoolean noMemory = new AtomicBoolean(true);
        GrowingManyToOneQueue<Integer> queue = new GrowingManyToOneQueue<>(2, 16, size -> {
            if (size > 2 && noMemory.get()) {
                throw new OutOfMemoryError("Java heap space");
            }
            return new Object[size];
        });
        assertThat(queue.offer(0)).isTrue();
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> queue.offer(1));
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> queue.relaxedOffer(1));
        assertThat(queue).containsExactly(0);
        assertThat(queue.poll()).isZero();
        assertThat(queue.offer(0)).isTrue();
        noMemory.set(false);
        for (int i = 1; i < 16; i++) {
            assertThat(queue.offer(i)).isTrue();
        }
        assertThat(queue.offer(16)).isFalse();
        assertThat(queue)
                .containsExactlyElementsOf(IntStream.range(0, 16).boxed().toList());
    }

    @Test
    void refusesCapacitiesThatCannotBe() {
        for (int[] capacities :
                new int[][] {{1, 8}, {0, 8}, {-1, 8}, {8, 4}, {4, (1 << 30) + 1}, {Integer.MIN_VALUE, Integer.MIN_VALUE}
                }) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new GrowingManyToOneQueue<>(capacities[0], capacities[1]))
                    .withMessageContaining(String.valueOf(capacities[capacities[1] > 1 << 30 ? 1 : 0]));
        }
    }
}
