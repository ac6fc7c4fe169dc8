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
 */
final class Pages implements AutoCloseable {
    private static final int ALIGNMENT = 64;
    private static final Cleaner CLEANER = Cleaner.create();

    private final Held held = new Held();

    Pages() {
        CLEANER.register(this, held);
    }

    /** Returns so many bytes, all 0. */
    MemorySegment allocate(long bytes) {
        Arena arena = held.arena;
        if (arena == null) {
            arena = Arena.ofShared();
            held.arena = arena;
        }
        return arena.allocate(bytes, ALIGNMENT);
    }

    /** Gives all of it back. More may be asked for afterwards. */
    @Override
    public void close() {
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
