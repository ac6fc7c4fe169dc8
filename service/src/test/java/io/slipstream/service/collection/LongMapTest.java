package io.slipstream.service.collection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Does what a map of boxed numbers does. */
class LongMapTest {
    /** Few keys meet each other again and again, and dense ones follow each other in the table. */
    @ParameterizedTest
    @ValueSource(ints = {3, 40, 1_000, 1_000_000})
    void holdsWhatWasPutUntilItIsRemoved(int keys) {
        Random random = new Random(keys);
        LongMap<Integer> map = new LongMap<>();
        Map<Long, Integer> model = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            long key = random.nextInt(4) == 0 ? random.nextInt(keys) * 0x1_0000_0000L : -random.nextInt(keys);
            // It fills and empties in turns.
            if (random.nextInt(10) < (i / 2_000 % 2 == 0 ? 8 : 2)) {
                map.put(key, i);
                model.put(key, i);
            } else {
                map.remove(key);
                model.remove(key);
            }
            assertThat(map.get(key)).isEqualTo(model.get(key));
            assertThat(map.size()).isEqualTo(model.size());
            if (i % 500 == 0) {
                model.forEach((each, value) -> assertThat(map.get(each)).isEqualTo(value));
                assertThat(new HashSet<>(map.values())).isEqualTo(new HashSet<>(model.values()));
            }
        }
        map.clear();
        assertThat(map.size()).isZero();
        assertThat(map.values()).isEmpty();
        assertThat(map.get(0)).isNull();
    }
}
