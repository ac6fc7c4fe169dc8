package io.slipstream.service.gateway;

import io.slipstream.core.sequence.Sequence;
import io.slipstream.service.host.FaultPoint;
import io.slipstream.service.host.Host;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The native memory of all connections, bounded for all of them together: what was read and not understood yet, and
 * what is still to be written. A connection that has neither holds none.
 *
 * <p>Part of it is reserved at the start. When nothing is left, whoever holds the most goes, since a client that does
 * not read must not take the room of those that do. One thread, except that the constructor may run on another one.
 */
final class Buffers implements AutoCloseable {
    /** The size of the smallest buffer; the others have a power of two times as much. */
    static final int SMALLEST = 1 << 13;

    private static final int RESERVED_BYTES = 1 << 22;
    private static final int CACHED_OF_A_SIZE = 4;
    private static final int LARGEST_CACHED = 1 << 20;
    private static final long PAUSE_NANOS = 1_000_000_000;

    private final Host host;
    private final long limit;
    private final Consumer<Connection> letGo;
    private final Consumer<String> report;
    private final Arena reserve = Arena.ofShared();
    private final Buffer spare = new Buffer(reserve.allocate(SMALLEST, Long.BYTES), null);
    private final Deque<Buffer> smallest = new ArrayDeque<>();
    private final List<Deque<Buffer>> larger = new ArrayList<>();
    private final List<Buffer> leased = new ArrayList<>();
    private final Sequence held = new Sequence();
    private long allocated;
    private long nextAttemptNanos;

    /**
     * Reserves the first buffers.
     *
     * @param host   tells the time
     * @param limit  of all of them together in bytes
     * @param letGo  closes a connection, which releases its buffers then
     * @param report takes what an operator should know
     * @throws OutOfMemoryError if the JVM has no room for the first ones
     */
    Buffers(Host host, long limit, Consumer<Connection> letGo, Consumer<String> report) {
        this.host = host;
        this.limit = limit;
        this.nextAttemptNanos = host.nanoTime();
        this.letGo = letGo;
        this.report = report;
        for (int size = SMALLEST; size > 0; size <<= 1) {
            larger.add(new ArrayDeque<>());
        }
        long bytes = Math.min(limit / 4, RESERVED_BYTES) / SMALLEST * SMALLEST;
        if (bytes > 0) {
            MemorySegment slab = reserve.allocate(bytes, Long.BYTES);
            for (long at = 0; at < bytes; at += SMALLEST) {
                smallest.add(new Buffer(slab.asSlice(at, SMALLEST), null));
            }
            allocated = bytes;
        }
    }

    /**
     * Returns a buffer of at least {@code bytes} for {@code owner}, or null if there is none, and nobody else holds
     * more than it asks for.
     */
    @Nullable
    Buffer lease(Connection owner, int bytes) {
        int size = size(bytes);
        Buffer buffer;
        while ((buffer = tryLease(size)) == null) {
            Buffer largest = largest();
            if (largest == null || largest.owner == null || largest.owner == owner || largest.bytes() < size) {
                return null;
            }
            letGo.accept(largest.owner);
        }
        buffer.owner = owner;
        buffer.index = leased.size();
        leased.add(buffer);
        held.setRelease(held.getPlain() + buffer.bytes());
        return buffer;
    }

    /** Returns the smallest of buffers, which is nobody's and never lent: for what is said when there is no other. */
    Buffer spare() {
        return spare;
    }

    /** Returns how many bytes all of them together may have. */
    long limit() {
        return limit;
    }

    /** Takes back a buffer that {@link #lease} has given. */
    void release(Buffer buffer) {
        Buffer last = leased.removeLast();
        if (last != buffer) {
            leased.set(buffer.index, last);
            last.index = buffer.index;
        }
        buffer.owner = null;
        held.setRelease(held.getPlain() - buffer.bytes());
        Deque<Buffer> free = free(buffer.bytes());
        boolean isCached = buffer.bytes() <= LARGEST_CACHED && free.size() < CACHED_OF_A_SIZE;
        if (buffer.bytes() == SMALLEST || isCached) {
            free.push(buffer);
        } else {
            discard(buffer);
        }
    }

    /** Returns how many bytes are leased at present; any thread may ask. */
    long leasedBytes() {
        return held.getAcquire();
    }

    /** Returns the size of the buffer that has room for {@code bytes}. */
    static int size(int bytes) {
        return bytes <= SMALLEST ? SMALLEST : Integer.highestOneBit(bytes - 1) << 1;
    }

    @Override
    public void close() {
        for (Deque<Buffer> free : larger) {
            free.forEach(this::discard);
            free.clear();
        }
        smallest.clear();
        reserve.close();
    }

    private @Nullable Buffer tryLease(int size) {
        if (host.strikes(FaultPoint.NO_MEMORY)) {
            return null;
        }
        Buffer free = free(size).poll();
        return free != null ? free : allocate(size);
    }

    private @Nullable Buffer allocate(int size) {
        if (allocated + size > limit) {
            larger.forEach(free -> {
                free.forEach(this::discard);
                free.clear();
            });
        }
        // After a failure the JVM takes its time over each further one, in which nobody would be served.
        if (allocated + size > limit || host.nanoTime() - nextAttemptNanos < 0) {
            return null;
        }
        Arena arena = Arena.ofConfined();
        try {
            Buffer buffer = new Buffer(arena.allocate(size, Long.BYTES), arena);
            allocated += size;
            return buffer;
        } catch (OutOfMemoryError e) {
            arena.close();
            nextAttemptNanos = host.nanoTime() + PAUSE_NANOS;
            report.accept("no native memory for a connection's buffer of " + size + " bytes, with " + allocated
                    + " of " + limit + " bytes in use; allow more with -XX:MaxDirectMemorySize or -Xmx, or fewer "
                    + "clients");
            return null;
        }
    }

    private void discard(Buffer buffer) {
        if (buffer.arena != null) {
            allocated -= buffer.bytes();
            buffer.arena.close();
        }
    }

    private Deque<Buffer> free(int size) {
        return size == SMALLEST ? smallest : larger.get(Integer.numberOfTrailingZeros(size / SMALLEST));
    }

    private @Nullable Buffer largest() {
        Buffer largest = null;
        for (Buffer buffer : leased) {
            if (largest == null || buffer.bytes() > largest.bytes()) {
                largest = buffer;
            }
        }
        return largest;
    }
}
