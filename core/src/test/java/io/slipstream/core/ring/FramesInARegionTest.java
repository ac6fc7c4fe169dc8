package io.slipstream.core.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.memory.Region;
import io.slipstream.core.thread.WaitStrategy;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rings of frames in memory that the caller has brought, such as a mapped file. */
class FramesInARegionTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final int BYTES = 256;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void carriesFramesThroughAMappedFileThatHeldSomethingElse(boolean many) throws Exception {
        try (Region region = Region.create(folder.resolve("ring"), BYTES)) {
            region.segment().fill((byte) 9);
            try (FrameRing ring = ring(region, many)) {
                FramePoller poller = ring.newPoller();
                List<Long> seen = new ArrayList<>();
                for (long i = 0; i < 100; i++) {
                    assertThat(poller.poll((memory, offset, length, end) -> {}, 1))
                            .isZero();
                    ring.publishFrame(
                            8 + (int) (i % 40), (memory, offset, length, value) -> memory.set(LONG, offset, value), i);
                    poller.poll(
                            (memory, offset, length, end) -> seen.add(memory.get(LONG, offset + Frame.HEADER_BYTES)),
                            1);
                }
                assertThat(seen).hasSize(100).isSorted().endsWith(99L);
                assertThat(ring.capacity()).isEqualTo(BYTES);
            }
            assertThat(region.getLong(0)).as("the region is still open").isNotEqualTo(0x0909090909090909L);
        }
    }

    @Test
    void aMappedFileShowsWhatOnePublisherHasPublishedInTheLastLap() throws Exception {
        Path file = folder.resolve("ring");
        try (Region region = Region.create(file, BYTES);
                FrameRing ring = ring(region, false)) {
            for (long i = 0; i < 19; i++) {
                ring.publishFrame(8, (memory, offset, length, value) -> memory.set(LONG, offset, value), i);
            }
            ring.claim(8);
            ring.claim(8);
        }
        try (Region region = Region.openReadOnly(file)) {
            assertThat(readFromTheBeginning(region.segment())).containsExactly(16L, 17L, 18L);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 24, 40, 56})
    void theMemoryNeverShowsWhatIsNotPublished(int most) {
        try (Region region = Region.allocate(BYTES);
                FrameRing ring = ring(region, false)) {
            FramePoller poller = ring.newPoller();
            List<Long> lap = new ArrayList<>();
            for (long i = 0; i < 200; i++) {
                int length = 8 + (int) (i * 7 % most);
                long position = ring.claim(length);
                long offset = ring.offset(position);
                if (offset == 0) {
                    lap.clear();
                }
                boolean endsAtTheEnd = offset + Frame.align(Frame.HEADER_BYTES + length) == BYTES;
                ring.memory().set(LONG, offset + Frame.HEADER_BYTES, -i);
                assertThat(readFromTheBeginning(region.segment()))
                        .as("claimed %s at %s", i, offset)
                        .isEqualTo(endsAtTheEnd ? List.of() : lap);
                ring.memory().set(LONG, offset + Frame.HEADER_BYTES, i);
                ring.publish(position);
                lap.add(i);
                assertThat(readFromTheBeginning(region.segment()))
                        .as("published %s at %s", i, offset)
                        .isEqualTo(endsAtTheEnd ? List.of() : lap);
                assertThat(poller.poll((memory, at, bytes, end) -> {}, 2)).isOne();
            }
        }
    }

    private static List<Long> readFromTheBeginning(MemorySegment memory) {
        List<Long> found = new ArrayList<>();
        long offset = 0;
        for (int length = Frame.length(memory, offset);
                length > 0 && length < 1 << 30;
                length = Frame.length(memory, offset)) {
            found.add(memory.get(LONG, offset + Frame.HEADER_BYTES));
            offset += Frame.align(length);
        }
        return found;
    }

    @ParameterizedTest
    @ValueSource(longs = {32, 96, 4097})
    void refusesARegionOfAnotherSize(long bytes) {
        try (Region region = Region.allocate(bytes)) {
            assertThatThrownBy(() -> ring(region, true))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a power of two from 64 bytes to 1 GiB, not " + bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refusesARegionThatItCannotWriteTo(boolean many) throws IOException {
        Path file = folder.resolve("ring");
        Region.create(file, BYTES).close();
        try (Region region = Region.openReadOnly(file)) {
            assertThatThrownBy(() -> ring(region, many))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a ring writes to its region, and this one of " + BYTES
                            + " bytes is read-only; map it with Region.open");
        }
    }

    private static FrameRing ring(Region region, boolean many) {
        return many
                ? FrameRing.forManyPublishers(region, WaitStrategy.parking(), WhenFull.WAIT)
                : FrameRing.forOnePublisher(region, WaitStrategy.parking(), WhenFull.WAIT);
    }
}
