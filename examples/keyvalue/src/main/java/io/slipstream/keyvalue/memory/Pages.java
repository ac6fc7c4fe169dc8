package io.slipstream.keyvalue.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import org.jspecify.annotations.Nullable;

/**
 * Memory outside the heap that is given back when this is closed, or else once nobody refers to this any more. Whoever
 * works with the memory must hold on to this. For one thread.
 *
 * <p>What {@link Arena#ofAuto} gives counts against the JVM's limit of direct memory, which is as large as the heap,
 * and is given back by a garbage collection, which may be hours away.
 *
 * <p>What is freed goes to the allocator of the C library, and that of glibc keeps it: once a mapped block was freed,
 * blocks of up to its size come from its heap, and the heap keeps what one block above it holds down. Only a block of
 * more than 32 MiB is always mapped, and unmapped when it is freed. So much memory is taken in spans of that size, of
 * which it is cut. A span costs its whole size at once, since it is filled with 0: it is taken only if it will be used
 * in full, or is at most a third of all.
 */
final class Pages implements AutoCloseable {
    /** How many bytes a span has. With the allocator's header that is more than 32 MiB. */
    static final int SPAN_BYTES = 1 << 25;

    private static final int ALIGNMENT = 64;
    private static final long MANY_BYTES = 2L * SPAN_BYTES;
    private static final Cleaner CLEANER = Cleaner.create();

    private final Held held = new Held();
    private MemorySegment span = MemorySegment.NULL;
    private long cut;
    private long taken;
    private long expected;

    Pages() {
        CLEANER.register(this, held);
    }

    /** At least so many bytes will be asked for in all. */
    void expect(long bytes) {
        expected = bytes;
    }

    /** Returns so many bytes, all 0. */
    MemorySegment allocate(long bytes) {
        if (span.byteSize() - cut < bytes) {
            if (bytes > SPAN_BYTES || taken < MANY_BYTES && expected - taken < SPAN_BYTES) {
                return take(bytes);
            }
            span = take(SPAN_BYTES);
            cut = 0;
        }
        MemorySegment given = span.asSlice(cut, bytes);
        cut += (bytes + ALIGNMENT - 1) & -ALIGNMENT;
        return given;
    }

    private MemorySegment take(long bytes) {
        Arena arena = held.arena;
        if (arena == null) {
            arena = Arena.ofShared();
            held.arena = arena;
        }
        MemorySegment memory = arena.allocate(bytes, ALIGNMENT);
        taken += bytes;
        return memory;
    }

    /** Returns how many bytes were taken from the system. */
    long bytes() {
        return taken;
    }

    /** Gives all of it back. More may be asked for afterwards. */
    @Override
    public void close() {
        span = MemorySegment.NULL;
        cut = 0;
        taken = 0;
        expected = 0;
        held.run();
    }

    private static final class Held implements Runnable {
        private @Nullable Arena arena;

        @Override
        public void run() {
            Arena present = arena;
            if (present != null) {
                arena = null;
                present.close();
            }
        }
    }
}
