package io.slipstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TestkitTest {
    @Test
    void givesEachPortOnce() {
        Set<Integer> ports = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            assertThat(ports.add(Ports.free())).isTrue();
        }
    }

    @Test
    void returnsWhatItWaitedFor() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        assertThat(Await.value("three looks", looks::incrementAndGet, seen -> seen == 3))
                .isEqualTo(3);
    }

    @Test
    void forgivesTheFirstRoundsAndNoOthers() throws Exception {
        AtomicInteger rounds = new AtomicInteger();
        Allocations.none(() -> allocate(rounds.incrementAndGet() < 3));
        assertThatThrownBy(() -> Allocations.none(Duration.ZERO, () -> allocate(true)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("a round allocates");
    }

    @Test
    void numbersTheCallsOfARound() throws Exception {
        List<Integer> numbers = new ArrayList<>(List.of(-1));
        Allocations.none(3, numbers::add);
        assertThat(numbers).startsWith(-1, 0, 1, 2);
    }

    @Test
    void returnsWhenALatchIsOpenAndAnExecutorHasEnded() throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        executor.execute(latch::countDown);
        Await.done(latch);
        executor.shutdown();
        Await.ended(executor);
        assertThat(executor.isTerminated()).isTrue();
    }

    private static int allocate(boolean does) {
        return does ? new byte[10_000].length : 0;
    }
}
