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
    private static final int CHUNK = 4 << 20;

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
            long record = keys.expiry(put(keys, "small", 10), 2);
            assertThat(keys.firstExpiring()).isEqualTo(record);
        }
    }

    /** The allocator of glibc keeps smaller blocks that were freed, and a snapshot's second store is all freed. */
    @Test
    void muchMemoryIsTakenInSpansThatTheAllocatorAlwaysGivesBack() {
        try (Pages pages = new Pages()) {
            while (pages.bytes() < 2L * Pages.SPAN_BYTES) {
                long before = pages.bytes();
                pages.allocate(CHUNK);
                assertThat(pages.bytes() - before).isEqualTo(CHUNK);
            }
            for (int span = 0; span < 2; span++) {
                long before = pages.bytes();
                MemorySegment last = pages.allocate(CHUNK);
                for (int i = 1; i < Pages.SPAN_BYTES / CHUNK; i++) {
                    MemorySegment next = pages.allocate(CHUNK);
                    assertThat(next.address() - last.address()).isEqualTo(CHUNK);
                    last = next;
                }
                assertThat(pages.bytes() - before).isEqualTo(Pages.SPAN_BYTES);
            }
        }
    }

    @Test
    void whatIsExpectedComesInSpansFromTheBeginningAndNoneIsTakenThatIsNotFilled() {
        try (Pages pages = new Pages()) {
            pages.expect(2L * Pages.SPAN_BYTES - 1);
            pages.allocate(CHUNK);
            assertThat(pages.bytes()).isEqualTo(Pages.SPAN_BYTES);
            for (int i = 1; i < Pages.SPAN_BYTES / CHUNK; i++) {
                pages.allocate(CHUNK);
            }
            assertThat(pages.bytes()).isEqualTo(Pages.SPAN_BYTES);
            pages.allocate(CHUNK);
            assertThat(pages.bytes()).isEqualTo(Pages.SPAN_BYTES + CHUNK);
        }
    }

    @Test
    void piecesOfASpanAreAlignedAndDoNotMeet() {
        try (Pages pages = new Pages()) {
            pages.expect(Pages.SPAN_BYTES);
            MemorySegment first = pages.allocate(65);
            MemorySegment second = pages.allocate(64);
            assertThat(pages.bytes()).isEqualTo(Pages.SPAN_BYTES);
            assertThat(first.byteSize()).isEqualTo(65);
            assertThat(first.address() % 64).isZero();
            assertThat(second.address() - first.address()).isEqualTo(128);
        }
    }

    /** A loaded store knows how many keys it has, and a large table how many slots. */
    @Test
    void aKeyspaceForManyKeysTakesSpansAndOneForFewStaysSmall() {
        try (Keyspace few = new Keyspace();
                Keyspace many = new Keyspace()) {
            few.expect(10);
            put(few, "small", 10);
            assertThat(few.reservedBytes()).isLessThan(2 * CHUNK);
            many.expect(1 << 22);
            put(many, "small", 10);
            assertThat(many.reservedBytes()).isEqualTo(2L * Pages.SPAN_BYTES);
        }
    }

    @Test
    void pagesThatWereClosedBeginAgainWithoutASpan() {
        Pages pages = new Pages();
        pages.expect(Pages.SPAN_BYTES);
        MemorySegment before = pages.allocate(64);
        pages.close();
        assertGone(before);
        assertThat(pages.bytes()).isZero();
        assertThat(pages.allocate(64).scope().isAlive()).isTrue();
        assertThat(pages.bytes()).isEqualTo(64);
        pages.close();
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
