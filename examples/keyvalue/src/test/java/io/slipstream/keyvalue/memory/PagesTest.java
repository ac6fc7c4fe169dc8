package io.slipstream.keyvalue.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.testkit.Await;
import io.slipstream.testkit.DirectMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The memory of the keys: not bounded by the heap, and given back as soon as it is of no use. */
class PagesTest {
    private static final int LARGE = 3 << 20;

    @Test
    void keysAndValuesDoNotCountAgainstTheLimitOfDirectMemoryWhichIsAsLargeAsTheHeap() {
        long before = DirectMemory.bytes();
        try (Keyspace keys = new Keyspace()) {
            put(keys, "large", LARGE);
            for (int i = 0; i < 20_000; i++) {
                long record = put(keys, "key:" + i, 100);
                keys.expiry(record, i + 1);
            }
            assertThat(keys.reservedBytes()).isGreaterThan(LARGE + 2_000_000);
            assertThat(DirectMemory.bytes()).isEqualTo(before);
        }
    }

    @Test
    void nothingIsLeftOfAKeyspaceThatIsClosed() {
        Keyspace keys = new Keyspace();
        MemorySegment small = keys.memory(put(keys, "small", 10));
        MemorySegment large = keys.memory(put(keys, "large", LARGE));
        keys.close();
        assertGone(small);
        assertGone(large);
    }

    @Test
    void aLargeValueGoesBackAtOnceWhenItsKeyIsRemoved() {
        try (Keyspace keys = new Keyspace()) {
            MemorySegment small = keys.memory(put(keys, "small", 10));
            MemorySegment large = keys.memory(put(keys, "large", LARGE));
            assertThat(keys.remove(bytes("large"), 0, 5)).isTrue();
            assertGone(large);
            assertThat(small.scope().isAlive()).isTrue();
        }
    }

    @Test
    void allOfItGoesBackWhenAllKeysAreForgottenAndMoreMayCome() {
        try (Keyspace keys = new Keyspace()) {
            MemorySegment small = keys.memory(put(keys, "small", 10));
            keys.expiry(keys.find(bytes("small"), 0, 5), 1);
            keys.clear();
            assertGone(small);
            assertThat(keys.find(bytes("small"), 0, 5)).isZero();
            long record = put(keys, "small", 10);
            keys.expiry(record, 2);
            assertThat(keys.firstExpiring()).isEqualTo(record);
        }
    }

    @Test
    void whatNobodyHasClosedGoesBackOnceNobodyRefersToIt() throws Exception {
        MemorySegment left = leave();
        Await.until("the garbage collector finds it", () -> {
            System.gc();
            return !left.scope().isAlive();
        });
    }

    private static MemorySegment leave() {
        return new Pages().allocate(64);
    }

    private static long put(Keyspace keys, String name, int length) {
        return keys.put(bytes(name), 0, name.length(), (byte) 1, length, 1);
    }

    private static MemorySegment bytes(String name) {
        return MemorySegment.ofArray(name.getBytes(StandardCharsets.US_ASCII));
    }

    private static void assertGone(MemorySegment memory) {
        assertThatThrownBy(() -> memory.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
    }
}
