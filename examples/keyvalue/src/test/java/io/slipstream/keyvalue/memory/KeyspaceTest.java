package io.slipstream.keyvalue.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class KeyspaceTest {
    private static final int KEYS = 100_000;

    /** A snapshot has its keys in that order. */
    @Test
    void keysThatComeInTheOrderOfTheirHashesShareASlotWithFewOthersIfTheirNumberIsKnown() {
        MemorySegment name = MemorySegment.ofArray(new byte[Long.BYTES]);
        long[] inOrder;
        try (Keyspace any = new Keyspace()) {
            inOrder = LongStream.range(0, KEYS)
                    .boxed()
                    .sorted((a, b) -> Long.compare(hash(any, name, a), hash(any, name, b)))
                    .mapToLong(Long::longValue)
                    .toArray();
        }
        try (Keyspace keys = new Keyspace()) {
            keys.expect(KEYS);
            int most = 0;
            for (long key : inOrder) {
                put(keys, name, key);
                most = Math.max(most, keys.inOrder(0));
            }
            assertThat(most).isLessThan(16);
            assertThat(keys.count()).isEqualTo(KEYS);
        }
    }

    /** What is expected changes nothing: whether it is there or not, while the table grows, and while it shrinks. */
    @Test
    void isTheSameWhateverIsPrefetched() {
        MemorySegment name = MemorySegment.ofArray(new byte[Long.BYTES]);
        SplittableRandom random = new SplittableRandom(5);
        try (Keyspace keys = new Keyspace();
                Keyspace plain = new Keyspace()) {
            keys.prefetch();
            for (int i = 0; i < 2 * KEYS; i++) {
                long key = random.nextInt(KEYS);
                for (int ahead = random.nextInt(4) == 0 ? random.nextInt(40) : 0; ahead > 0; ahead--) {
                    name.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, random.nextInt(KEYS));
                    keys.expectKey(name, 0, random.nextInt(Long.BYTES + 1));
                }
                keys.prefetch();
                if (random.nextInt(i < KEYS ? 3 : 9) < (i < KEYS ? 2 : 1)) {
                    put(keys, name, key);
                    put(plain, name, key);
                } else {
                    name.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, key);
                    assertThat(keys.remove(name, 0, Long.BYTES)).isEqualTo(plain.remove(name, 0, Long.BYTES));
                }
                assertThat(keys.count()).isEqualTo(plain.count());
            }
            for (long key = 0; key < KEYS; key++) {
                name.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, key);
                assertThat(keys.find(name, 0, Long.BYTES) == 0).isEqualTo(plain.find(name, 0, Long.BYTES) == 0);
            }
            assertThat(keys.usedBytes()).isEqualTo(plain.usedBytes());
            keys.expectKey(name, 0, Long.BYTES);
            keys.expectKey(name, 0, Long.BYTES);
            keys.clear();
            keys.prefetch();
            assertThat(keys.count()).isZero();
        }
    }

    private static long hash(Keyspace keys, MemorySegment name, long key) {
        return keys.hash(put(keys, name, key));
    }

    private static long put(Keyspace keys, MemorySegment name, long key) {
        name.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, key);
        return keys.put(name, 0, Long.BYTES, (byte) 1, 8, 1);
    }
}
