package io.slipstream.benchmarks.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.slipstream.core.queue.ManyToManyQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QueueSuiteTest {
    @Test
    void countsEveryElement() throws Exception {
        QueueContest contest =
                new QueueContest(() -> new ManyToManyQueue<>(64), ConcurrentLinkedQueue::new, 2, 2, 20_000);
        assertThat(contest.ours()).isPositive();
        assertThat(contest.peer()).isPositive();
    }

    /** Broken: gives every element as the same one. */
    private static final class Wrong extends ConcurrentLinkedQueue<Integer> {
        private static final long serialVersionUID = 1;

        @Override
        public @Nullable Integer poll() {
            return super.poll() == null ? null : 1_000_000;
        }
    }

    @Test
    void findsOutAQueueThatGivesSomethingElse() {
        QueueContest contest = new QueueContest(() -> new ManyToManyQueue<>(64), Wrong::new, 1, 1, 2_000);
        assertThatIllegalStateException().isThrownBy(contest::peer).withMessageContaining("lost or doubled");
    }
}
