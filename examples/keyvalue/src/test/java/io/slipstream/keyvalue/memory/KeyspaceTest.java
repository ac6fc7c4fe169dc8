package io.slipstream.keyvalue.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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

    private static long hash(Keyspace keys, MemorySegment name, long key) {
        return keys.hash(put(keys, name, key));
    }

    private static long put(Keyspace keys, MemorySegment name, long key) {
        name.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, key);
        return keys.put(name, 0, Long.BYTES, (byte) 1, 8, 1);
    }
}
