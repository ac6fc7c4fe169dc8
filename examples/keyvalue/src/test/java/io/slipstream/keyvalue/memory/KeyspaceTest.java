package io.slipstream.keyvalue.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
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

    /** A record is of another form while its key expires. */
    @Test
    void keepsKeyAndValueWheneverItBeginsOrEndsToExpire() {
        SplittableRandom random = new SplittableRandom(11);
        Map<Long, Held> model = new HashMap<>();
        try (Keyspace keys = new Keyspace()) {
            for (int i = 0; i < 3 * KEYS; i++) {
                long key = random.nextInt(KEYS / 4);
                MemorySegment name = name(key);
                long record = keys.find(name, 0, (int) name.byteSize());
                assertThat(record == 0 ? null : held(keys, record)).isEqualTo(model.get(key));
                switch (random.nextInt(i < 2 * KEYS ? 5 : 8)) {
                    case 0, 1 -> {
                        byte[] value = new byte[random.nextInt(100)];
                        random.nextBytes(value);
                        model.put(key, put(keys, name, value, i, record == 0 ? 0 : keys.expiry(record)));
                    }
                    case 2, 3 -> {
                        if (record != 0) {
                            long expiry = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(1_000);
                            record = keys.expiry(record, expiry);
                            assertThat(record).isEqualTo(keys.find(name, 0, (int) name.byteSize()));
                            model.put(key, held(keys, record));
                            assertThat(keys.expiry(record)).isEqualTo(expiry);
                        }
                    }
                    default -> {
                        assertThat(keys.remove(name, 0, (int) name.byteSize())).isEqualTo(model.remove(key) != null);
                    }
                }
            }
            try (Keyspace anew = new Keyspace()) {
                model.forEach((key, held) -> {
                    MemorySegment name = name(key);
                    put(anew, name, held.value, held.version, 0);
                    anew.expiry(anew.find(name, 0, (int) name.byteSize()), held.expiry);
                });
                assertThat(keys.count()).isEqualTo(model.size());
                assertThat(keys.usedBytes()).isEqualTo(anew.usedBytes());
                assertThat(keys.expiring()).isEqualTo(anew.expiring()).isPositive();
                for (long first = keys.firstExpiring(); first != 0; first = keys.firstExpiring()) {
                    long other = anew.firstExpiring();
                    assertThat(held(keys, first)).isEqualTo(held(anew, other));
                    keys.expiry(first, 0);
                    anew.expiry(other, 0);
                }
            }
        }
    }

    private record Held(byte[] value, long version, long expiry) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Held held
                    && Arrays.equals(value, held.value)
                    && version == held.version
                    && expiry == held.expiry;
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(value);
        }
    }

    private static Held put(Keyspace keys, MemorySegment name, byte[] value, long version, long expiry) {
        long record = keys.put(name, 0, (int) name.byteSize(), (byte) 1, value.length, version);
        MemorySegment.copy(
                MemorySegment.ofArray(value), 0, keys.memory(record), keys.valueOffset(record), value.length);
        return new Held(value, version, expiry);
    }

    private static Held held(Keyspace keys, long record) {
        byte[] value = new byte[keys.valueLength(record)];
        MemorySegment.copy(
                keys.memory(record), keys.valueOffset(record), MemorySegment.ofArray(value), 0, value.length);
        return new Held(value, keys.version(record), keys.expiry(record));
    }

    /** Of many lengths. */
    private static MemorySegment name(long key) {
        return MemorySegment.ofArray((key + ":".repeat((int) key % 41)).getBytes(StandardCharsets.US_ASCII));
    }

    private static long hash(Keyspace keys, MemorySegment name, long key) {
        return keys.hash(put(keys, name, key));
    }

    private static long put(Keyspace keys, MemorySegment name, long key) {
        name.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, key);
        return keys.put(name, 0, Long.BYTES, (byte) 1, 8, 1);
    }
}
