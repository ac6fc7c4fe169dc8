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
    private record Name(long owner, long orderId) {}

    private final long seed = System.nanoTime();
    private final SplittableRandom random = new SplittableRandom(seed);
    private final OrderPool pool = new OrderPool(200, new Records(OrderPool.wordsFor(200)));
    private final Map<Name, Integer> model = new HashMap<>();
    private final List<Name> names = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 16", "7, 4096", "50, 1", "1, 4294967296", "3, 6148914691236517205"})
    void findsWhatIsThereAndNothingElse(int owners, long step) {
        for (int i = 0; i < 100_000; i++) {
            Name name = new Name(random.nextInt(owners), random.nextInt(300) * step);
            assertFinds(name);
            // Fills up and empties again and again.
            if (i / 1_000 % 2 == 0 ? random.nextInt(4) != 0 : random.nextInt(4) == 0) {
                add(name);
            } else {
                removeAny();
            }
            assertThat(pool.size()).isEqualTo(model.size());
        }
        model.keySet().forEach(this::assertFinds);
        assertThat(model.values()).doesNotHaveDuplicates();
    }

    private void assertFinds(Name name) {
        assertThat(pool.find(name.owner(), name.orderId()))
                .as("%s of seed %d", name, seed)
                .isEqualTo(model.getOrDefault(name, OrderPool.NONE));
    }

    private void add(Name name) {
        if (!model.containsKey(name) && !pool.isFull()) {
            model.put(name, pool.add(0, name.owner(), name.orderId(), Side.BUY, false, 1, 1));
            names.add(name);
        }
    }

    private void removeAny() {
        if (!names.isEmpty()) {
            Name leaver = names.remove(random.nextInt(names.size()));
            pool.remove(Objects.requireNonNull(model.remove(leaver)));
        }
    }
}
