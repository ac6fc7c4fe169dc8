package io.slipstream.service.logic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TimerQueueTest {
    private record Timer(long id, long deadline) {}

    @Test
    void doesWhatAnOrderedListDoes() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        TimerQueue queue = new TimerQueue();
        List<Timer> model = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            long id = random.nextLong(200) << random.nextInt(50);
            switch (random.nextInt(4)) {
                case 0, 1 -> {
                    long deadline = random.nextLong(100);
                    queue.set(id, deadline);
                    model.removeIf(timer -> timer.id == id);
                    model.add(new Timer(id, deadline));
                }
                case 2 ->
                    assertThat(queue.cancel(id)).as("seed %d", seed).isEqualTo(model.removeIf(timer -> timer.id == id));
                default -> {
                    // Of equal deadlines the one that was set first.
                    Timer next = model.stream()
                            .reduce((a, b) -> b.deadline < a.deadline ? b : a)
                            .orElse(null);
                    assertThat(queue.nextDeadline())
                            .as("seed %d", seed)
                            .isEqualTo(next == null ? Long.MAX_VALUE : next.deadline);
                    if (next != null) {
                        assertThat(queue.removeNext()).as("seed %d", seed).isEqualTo(next.id);
                        model.remove(next);
                    }
                }
            }
            assertThat(queue.count()).as("seed %d", seed).isEqualTo(model.size());
        }
    }
}
