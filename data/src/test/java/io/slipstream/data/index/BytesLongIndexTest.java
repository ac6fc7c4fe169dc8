package io.slipstream.data.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.testing.MapTestSuiteBuilder;
import com.google.common.collect.testing.SampleElements;
import com.google.common.collect.testing.TestMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import io.slipstream.core.memory.Region;
import io.slipstream.testkit.Allocations;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import junit.framework.TestResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BytesLongIndexTest {
    private static final long MISSING = -1;
    /** The exclusive or of the words of a key and its length: all keys meet that say one word twice. */
    static final KeyHash COLLIDING = new KeyHash(0, 1);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void doesWhatAHashMapDoesUnderRandomOperations(boolean isColliding) {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, Long> model = new HashMap<>();
        try (BytesLongIndex index = BytesLongIndex.inMemory(MISSING, isColliding ? COLLIDING : KeyHash.random())) {
            for (int i = 0; i < 60_000; i++) {
                int number = random.nextInt(i < 30_000 && !isColliding ? 2_000 : 50);
                String key = isColliding ? colliding(number) : key(number);
                long value = random.nextInt(1_000_000);
                String what = "operation " + i + " of seed " + seed;
                switch (random.nextInt(3)) {
                    case 0 -> assertThat(index.put(key, value)).as(what).isEqualTo(orMissing(model.put(key, value)));
                    case 1 -> assertThat(index.remove(key)).as(what).isEqualTo(orMissing(model.remove(key)));
                    default ->
                        assertThat(index.get(key.getBytes(StandardCharsets.UTF_8)))
                                .as(what)
                                .isEqualTo(orMissing(model.get(key)));
                }
                if (index.size() != model.size()) {
                    throw new AssertionError(what + ": size " + index.size() + " instead of " + model.size());
                }
            }
            assertThat(index.asMap()).as("seed %s", seed).isEqualTo(model);
        }
    }

    /** Of every length, among them those of whole words; some are not ASCII. */
    static String key(int i) {
        String text = "k" + i;
        return i % 7 == 0 ? text + "äß€" : text + "x".repeat(i % 29);
    }

    static String colliding(int i) {
        return String.format(Locale.ROOT, "%08d", i).repeat(2);
    }

    @Test
    void takesKeysOfAnyLengthFromAnyMemory() {
        try (BytesLongIndex index = BytesLongIndex.inMemory(MISSING);
                Region region = Region.allocate(40_000)) {
            region.segment().fill((byte) 7);
            for (int length = 0; length <= KeyRecord.MAX_KEY; length = length * 2 + 1) {
                assertThat(index.put(region.segment(), 3, length, length)).isEqualTo(MISSING);
            }
            for (int length = 0; length <= KeyRecord.MAX_KEY; length = length * 2 + 1) {
                byte[] key = new byte[length];
                Arrays.fill(key, (byte) 7);
                assertThat(index.get(key)).isEqualTo(length);
            }
            assertThatThrownBy(() -> index.put(new byte[KeyRecord.MAX_KEY + 1], 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("at most 32760");
            assertThatThrownBy(() -> index.put("\ud800", 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("surrogate");
            assertThatThrownBy(() -> index.put("a", MISSING))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("stands for no entry");
        }
    }

    @Test
    void usesThePlaceOfRemovedKeysAgain() {
        try (BytesLongIndex index = BytesLongIndex.inMemory(MISSING)) {
            for (int i = 0; i < 100_000; i++) {
                index.put("key" + i % 1_000, i);
                index.remove("key" + (i + 900) % 1_000);
            }
            assertThat(index.memoryBytes()).isLessThan(1 << 20);
        }
    }

    @Test
    void givesOtherThreadsWhatWasThereAtSomeMoment() throws InterruptedException {
        try (BytesLongIndex index = BytesLongIndex.inMemory(MISSING)) {
            BytesLongReader reader = index.reader();
            assertThat(wrongAnswer(index, reader::get, 200_000)).isNull();
        }
    }

    /** Broken twin: the owner's own way of reading does not notice that a place is used again. */
    @Test
    void aReaderThatLooksAtNoVersionIsCaught() throws InterruptedException {
        try (BytesLongIndex index = BytesLongIndex.inMemory(MISSING)) {
            String wrong = null;
            while (wrong == null && !Thread.currentThread().isInterrupted()) {
                wrong = wrongAnswer(index, key -> index.get(MemorySegment.ofArray(key), 0, key.length), 1_000_000);
            }
            assertThat(wrong).contains("had value");
        }
    }

    /** Reads keys while others of their length take their places; returns the first answer that never was right. */
    private static String wrongAnswer(BytesLongIndex index, ToLongFunction<byte[]> read, int times)
            throws InterruptedException {
        byte[][] keys = IntStream.range(0, 8)
                .mapToObj(i -> ("key-" + i).getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        AtomicReference<String> wrong = new AtomicReference<>();
        for (int key = 0; key < 4; key++) {
            index.put(keys[key], key);
        }
        Thread thread = new Thread(() -> {
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < times && wrong.get() == null; i++) {
                int key = random.nextInt(keys.length);
                long value = read.applyAsLong(keys[key]);
                if (value != key && (key < 4 || value != MISSING)) {
                    wrong.set("key " + key + " had value " + value);
                }
            }
        });
        thread.start();
        SplittableRandom random = new SplittableRandom(2);
        while (thread.isAlive()) {
            int gone = 4 + random.nextInt(4);
            int come = 4 + random.nextInt(4);
            index.remove(keys[gone]);
            index.put(keys[come], come);
        }
        thread.join();
        return wrong.get();
    }

    @Test
    void allocatesNothingOnceItsRoomIsThere() throws Exception {
        byte[][] keys = IntStream.range(0, 1_000)
                .mapToObj(i -> key(i).getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        try (BytesLongIndex index = BytesLongIndex.inMemory(MISSING)) {
            BytesLongReader reader = index.reader();
            Allocations.none(20 * keys.length, i -> {
                byte[] key = keys[i % keys.length];
                if (index.put(key, i) == MISSING || reader.get(key) != i || i % 3 == 0) {
                    index.remove(key);
                }
                index.put("text", i);
            });
        }
    }

    @Test
    void isAMapThatKeepsTheContract() {
        TestResult result = new TestResult();
        MapTestSuiteBuilder.using(new Views())
                .named("BytesLongIndex.asMap")
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

    private static final class Views implements TestMapGenerator<String, Long> {
        @Override
        public SampleElements<Map.Entry<String, Long>> samples() {
            return new SampleElements<>(
                    Map.entry("", 10L),
                    Map.entry("a", 11L),
                    Map.entry("ä", 12L),
                    Map.entry("a longer key", 13L),
                    Map.entry("€uro", 14L));
        }

        @Override
        @SuppressWarnings("unchecked")
        public Map<String, Long> create(Object... elements) {
            Map<String, Long> map = BytesLongIndex.inMemory(MISSING).asMap();
            for (Object element : elements) {
                Map.Entry<String, Long> entry = (Map.Entry<String, Long>) element;
                map.put(entry.getKey(), entry.getValue());
            }
            return map;
        }

        @Override
        @SuppressWarnings({"unchecked", "rawtypes"})
        public Map.Entry<String, Long>[] createArray(int length) {
            return new Map.Entry[length];
        }

        @Override
        public Iterable<Map.Entry<String, Long>> order(List<Map.Entry<String, Long>> insertionOrder) {
            return insertionOrder;
        }

        @Override
        public String[] createKeyArray(int length) {
            return new String[length];
        }

        @Override
        public Long[] createValueArray(int length) {
            return new Long[length];
        }
    }
}
