package io.slipstream.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pool finds what is there, and only that, whatever the pattern of the ids. */
final class OrderPoolTest {
    private record Name(long owner, long orderId) {
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 16", "7, 4096", "50, 1", "1, 4294967296", "3, 6148914691236517205"})
    void findsWhatIsThereAndNothingElse(int owners, long step) {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        OrderPool pool = new OrderPool(200);
        Map<Name, Integer> model = new HashMap<>();
        List<Name> names = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            Name name = new Name(random.nextInt(owners), random.nextInt(300) * step);
            Integer slot = model.get(name);
            assertThat(pool.find(name.owner(), name.orderId())).as("step %d of seed %d", i, seed)
                    .isEqualTo(slot == null ? OrderPool.NONE : slot);
            if (slot == null && !pool.isFull()) {
                model.put(name, pool.take(0, name.owner(), name.orderId(), Side.BUY, false, 1, 1));
                names.add(name);
            } else if (!names.isEmpty()) {
                Name leaver = names.remove(random.nextInt(names.size()));
                pool.release(Objects.requireNonNull(model.remove(leaver)));
            }
            assertThat(pool.size()).isEqualTo(model.size());
        }
        model.forEach((name, slot) -> assertThat(pool.find(name.owner(), name.orderId())).isEqualTo(slot));
        assertThat(model.values()).doesNotHaveDuplicates().allMatch(slot -> slot >= 1 && slot <= 200);
    }
}
