package io.slipstream.log;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.memory.Region;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.WhenFull;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.log.event.EventLayout;
import io.slipstream.log.output.Output;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The ring of a log. That of a binary log is a mapped file, so that what was logged before the process was killed is
 * still there: whoever opens the log next finds all frames that have their stamp, from the position on that had been
 * written, which stands in a file beside it.
 */
final class LogRing implements AutoCloseable {
    private static final String RING = "ring";
    private static final String POSITION = "ring.position";
    private static final int PAGE = 4096;
    private static final long WRITTEN_OFFSET = 0;
    private static final long BEGUN_OFFSET = 8;

    private final FrameRing ring;
    private final @Nullable Region memory;
    private final @Nullable Region position;

    private LogRing(FrameRing ring, @Nullable Region memory, @Nullable Region position) {
        this.ring = ring;
        this.memory = memory;
        this.position = position;
    }

    static LogRing inMemory(int bytes) {
        return new LogRing(FrameRing.forManyPublishers(bytes, WaitStrategy.parking()), null, null);
    }

    /** Makes a ring in {@code folder}, after what a former one has left there was handed to {@code output}. */
    static LogRing mapped(Path folder, int bytes, Output output, LastEvent last, long nowNanos) throws IOException {
        Path ringFile = folder.resolve(RING);
        Path positionFile = folder.resolve(POSITION);
        if (Files.exists(ringFile) && Files.exists(positionFile)) {
            try (Region old = Region.open(ringFile);
                    Region written = Region.open(positionFile)) {
                recover(old.segment(), written, output, last);
            }
        }
        Files.deleteIfExists(positionFile);
        Files.deleteIfExists(ringFile);
        Region memory = Region.create(ringFile, bytes);
        Region position = null;
        try {
            position = Region.create(positionFile, PAGE);
            position.putLong(BEGUN_OFFSET, nowNanos);
            return new LogRing(
                    FrameRing.forManyPublishers(memory, WaitStrategy.parking(), WhenFull.WAIT), memory, position);
        } catch (IOException | RuntimeException | Error e) {
            memory.close();
            if (position != null) {
                position.close();
            }
            throw e;
        }
    }

    /** Time and stamped position of the last event that was written, or null if there is none. */
    record LastEvent(long nanos, long position) {
        /** There is none. */
        static final LastEvent NONE = new LastEvent(Long.MIN_VALUE, -1);
    }

    private static void recover(MemorySegment ring, Region written, Output output, LastEvent last) {
        long capacity = ring.byteSize();
        long at = written.getLongAcquire(WRITTEN_OFFSET);
        if (Long.bitCount(capacity) != 1 || at < 0 || at % Frame.ALIGNMENT != 0) {
            return;
        }
        if (last.nanos >= written.getLong(BEGUN_OFFSET)) {
            // It was killed between writing events and writing down that it has.
            at = Math.max(at, last.position + Frame.ALIGNMENT);
        }
        long end = at + capacity;
        while (at < end) {
            long offset = at & capacity - 1;
            int length = Frame.length(ring, offset);
            boolean fits = length >= EventLayout.ARGUMENTS_OFFSET && offset + Frame.align(length) <= capacity;
            if (fits && EventLayout.isStamped(ring, offset, at)) {
                output.write(ring, offset, Frame.align(length));
                at += Frame.align(length);
            } else {
                at += Frame.ALIGNMENT;
            }
        }
    }

    FrameRing ring() {
        return ring;
    }

    /** Writes down that everything before {@code newPosition} was written. */
    void written(long newPosition) {
        if (position != null) {
            position.putLongRelease(WRITTEN_OFFSET, newPosition);
        }
    }

    @Override
    public void close() {
        ring.close();
        if (memory != null) {
            memory.close();
        }
        if (position != null) {
            position.close();
        }
    }
}
