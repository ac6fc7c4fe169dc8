package io.slipstream.data.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.testing.MapTestSuiteBuilder;
import com.google.common.collect.testing.SampleElements;
import com.google.common.collect.testing.TestMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import junit.framework.TestResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LongLongIndexTest {
    private static final long MISSING = -1;

    /** Tiny pages wrap around, fill up and split all the time. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 16})
    void doesWhatAHashMapDoesUnderRandomOperations(int buckets) {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        KeyHash hash = new KeyHash(random.nextLong(), random.nextLong() | 1);
        Map<Long, Long> model = new HashMap<>();
        try (LongLongIndex index = LongLongIndex.inMemory(MISSING, new PageSize(buckets, 3), hash)) {
            for (int i = 0; i < 200_000; i++) {
                long key = random.nextInt(i < 100_000 ? 2_000 : 100);
                long value = random.nextInt(1_000_000);
                String what = "operation " + i + " of seed " + seed;
                switch (random.nextInt(3)) {
                    case 0 -> assertThat(index.put(key, value)).as(what).isEqualTo(orMissing(model.put(key, value)));
                    case 1 -> assertThat(index.remove(key)).as(what).isEqualTo(orMissing(model.remove(key)));
                    default -> assertThat(index.get(key)).as(what).isEqualTo(orMissing(model.get(key)));
                }
                if (i % 1_000 == 0) {
                    long[] keys = random.longs(random.nextInt(70), 0, 2_000).toArray();
                    long[] values = new long[keys.length];
                    index.getAll(keys, values);
                    assertThat(values)
                            .as(what)
                            .containsExactly(Arrays.stream(keys)
                                    .map(k -> orMissing(model.get(k)))
                                    .toArray());
                    index.reader().getAll(keys, values);
                    assertThat(values)
                            .as(what)
                            .containsExactly(Arrays.stream(keys)
                                    .map(k -> orMissing(model.get(k)))
                                    .toArray());
                }
                if (index.size() != model.size()) {
                    throw new AssertionError(what + ": size " + index.size() + " instead of " + model.size());
                }
            }
            assertThat(index.asMap()).as("seed %s", seed).isEqualTo(model);
        }
    }

    @Test
    void keepsEveryKeyAtEveryBoundaryOfItsGrowth() {
        try (LongLongIndex index =
                LongLongIndex.inMemory(MISSING, new PageSize(2, 2), new KeyHash(5, 0x9e37_79b9_7f4a_7c15L))) {
            for (long n = 0; n < 3_000; n++) {
                assertThat(index.put(n, n * 3)).isEqualTo(MISSING);
                if (n < 300 || n % 100 == 0) {
                    for (long key = 0; key <= n; key++) {
                        assertThat(index.get(key)).as("key %s of %s", key, n).isEqualTo(key * 3);
                    }
                    assertThat(index.get(n + 1)).isEqualTo(MISSING);
                }
            }
        }
    }

    /** All keys of a page begin at one bucket: the chain goes round the end of the page. */
    @Test
    void closesGapsInAChainThatWrapsAround() {
        KeyHash hash = new KeyHash(11, 0x7_0000_0001L);
        List<Long> keys = new ArrayList<>();
        for (long key = 1; keys.size() < 22; key++) {
            if ((hash.of(key) & 7) == 6) {
                keys.add(key);
            }
        }
        SplittableRandom random = new SplittableRandom(3);
        for (int round = 0; round < 200; round++) {
            try (LongLongIndex index = LongLongIndex.inMemory(MISSING, new PageSize(8, 2), hash)) {
                keys.forEach(key -> index.put(key, key));
                List<Long> left = new ArrayList<>(keys);
                while (!left.isEmpty()) {
                    long key = left.remove(random.nextInt(left.size()));
                    assertThat(index.remove(key)).isEqualTo(key);
                    assertThat(index.get(key)).isEqualTo(MISSING);
                    left.forEach(other -> assertThat(index.get(other)).isEqualTo(other));
                }
                assertThat(index.size()).isZero();
            }
        }
    }

    /** Keys that fastutil's and Agrona's public hashes would send to one place are spread here,
     * as the seed is a secret. */
    @Test
    void spreadsKeysThatAreMultiplesOfALargePowerOfTwo() {
        try (LongLongIndex index = LongLongIndex.inMemory(MISSING)) {
            for (long i = 1; i <= 50_000; i++) {
                index.put(i << 40, i);
                index.put(i, i);
            }
            for (long i = 1; i <= 50_000; i++) {
                assertThat(index.get(i << 40)).isEqualTo(i);
            }
            assertThat(index.memoryBytes()).isLessThan(16L << 20);
        }
    }

    @Test
    void refusesTheMissingValue() {
        try (LongLongIndex index = LongLongIndex.inMemory(MISSING)) {
            assertThatThrownBy(() -> index.put(1, MISSING))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("stands for no entry");
        }
    }

    @Test
    void refusesManyKeysWithoutRoomForTheirValues() {
        try (LongLongIndex index = LongLongIndex.inMemory(MISSING)) {
            long[] keys = {1, 2, 3};
            assertThatThrownBy(() -> index.getAll(keys, new long[2]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("3 keys, but room for 2 values");
            assertThatThrownBy(() -> index.reader().getAll(keys, keys))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("one array");
        }
    }

    @Test
    void refusesToCommitWhatIsInMemory() {
        try (LongLongIndex index = LongLongIndex.inMemory(MISSING)) {
            assertThatThrownBy(index::commit)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("create it in a folder");
        }
    }

    @Test
    void givesOtherThreadsWhatWasThereAtSomeMoment() throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (LongLongIndex index = LongLongIndex.inMemory(MISSING, new PageSize(2, 4), KeyHash.random())) {
            int stable = 500;
            for (long key = 1; key <= stable; key++) {
                index.put(key, key);
            }
            LongLongReader reader = index.reader();
            Thread thread = new Thread(() -> {
                SplittableRandom random = new SplittableRandom(1);
                long[] keys = new long[20];
                long[] values = new long[20];
                for (int i = 0; i < 10_000 && failure.get() == null; i++) {
                    for (int j = 0; j < keys.length; j++) {
                        keys[j] = 1 + random.nextInt(2 * stable);
                        values[j] = i % 2 == 0 ? reader.get(keys[j]) : MISSING;
                    }
                    if (i % 2 != 0) {
                        reader.getAll(keys, values);
                    }
                    for (int j = 0; j < keys.length; j++) {
                        if (values[j] != keys[j] && (keys[j] <= stable || values[j] != MISSING)) {
                            failure.set(new AssertionError("key " + keys[j] + " had value " + values[j]));
                        }
                    }
                }
            });
            thread.start();
            SplittableRandom random = new SplittableRandom(2);
            while (thread.isAlive()) {
                for (int i = 0; i < 1_000; i++) {
                    long key = 1 + stable + random.nextInt(stable);
                    if (random.nextBoolean()) {
                        index.put(key, key);
                    } else {
                        index.remove(key);
                    }
                }
            }
            thread.join();
        }
        assertThat(failure.get()).isNull();
    }

    @Test
    void isAMapThatKeepsTheContract() {
        TestResult result = new TestResult();
        MapTestSuiteBuilder.using(new Views())
                .named("LongLongIndex.asMap")
                .withFeatures(
                        CollectionSize.ANY, MapFeature.GENERAL_PURPOSE, CollectionFeature.SUPPORTS_ITERATOR_REMOVE)
                .createTestSuite()
                .run(result);
        assertThat(result.runCount()).isGreaterThan(100);
        result.failures()
                .asIterator()
                .forEachRemaining(f -> assertThat(f.toString() + f.trace()).isEmpty());
        result.errors()
                .asIterator()
                .forEachRemaining(f -> assertThat(f.toString() + f.trace()).isEmpty());
    }

    private static long orMissing(Long value) {
        return value == null ? MISSING : value;
    }

    private static final class Views implements TestMapGenerator<Long, Long> {
        @Override
        public SampleElements<Map.Entry<Long, Long>> samples() {
            return new SampleElements<>(
                    Map.entry(0L, 10L), Map.entry(1L, 11L), Map.entry(2L, 12L), Map.entry(3L, 13L), Map.entry(4L, 14L));
        }

        @Override
        @SuppressWarnings("unchecked")
        public Map<Long, Long> create(Object... elements) {
            Map<Long, Long> map = LongLongIndex.inMemory(MISSING).asMap();
            for (Object element : elements) {
                Map.Entry<Long, Long> entry = (Map.Entry<Long, Long>) element;
                map.put(entry.getKey(), entry.getValue());
            }
            return map;
        }

        @Override
        @SuppressWarnings({"unchecked", "rawtypes"})
        public Map.Entry<Long, Long>[] createArray(int length) {
            return new Map.Entry[length];
        }

        @Override
        public Iterable<Map.Entry<Long, Long>> order(List<Map.Entry<Long, Long>> insertionOrder) {
            return insertionOrder;
        }

        @Override
        public Long[] createKeyArray(int length) {
            return new Long[length];
        }

        @Override
        public Long[] createValueArray(int length) {
            return new Long[length];
        }
    }
}
