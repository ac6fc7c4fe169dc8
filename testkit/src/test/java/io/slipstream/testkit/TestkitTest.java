package io.slipstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
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
        assertThatThrownBy(() -> Allocations.none(() -> allocate(true)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("a round allocates");
    }

    private static int allocate(boolean does) {
        return does ? new byte[10_000].length : 0;
    }
}
