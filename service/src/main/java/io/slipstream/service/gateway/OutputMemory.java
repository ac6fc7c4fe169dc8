package io.slipstream.service.gateway;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The memory for what clients leave unread beyond the first buffer of their connections, bounded for all of them
 * together.
 *
 * <p>When there is none left, those who need theirs no longer give it back; then whoever has the most goes, since one
 * who does not read must not take the room of those who do. One thread.
 */
final class OutputMemory {
    private final long limit;
    private final Consumer<Connection> letGo;
    private final List<Lease> leases = new ArrayList<>();
    private long used;

    /** Creates it; {@code letGo} closes a connection, which gives back its lease then. */
    OutputMemory(long limit, Consumer<Connection> letGo) {
        this.limit = limit;
        this.letGo = letGo;
    }

    /** Returns memory for {@code owner}, or null if there is none, and nobody has more than it asks for. */
    @Nullable Lease lease(Connection owner, int bytes) {
        Lease lease;
        while ((lease = tryLease(owner, bytes)) == null) {
            if (!reclaim()) {
                Lease largest = largest();
                if (largest == null || largest.bytes() < bytes) {
                    return null;
                }
                letGo.accept(largest.owner);
            }
        }
        return lease;
    }

    private @Nullable Lease tryLease(Connection owner, int bytes) {
        if (bytes > limit - used) {
            return null;
        }
        Arena arena = Arena.ofConfined();
        try {
            Lease lease = new Lease(owner, arena, arena.allocate(bytes, Long.BYTES));
            leases.add(lease);
            used += bytes;
            return lease;
        } catch (OutOfMemoryError e) {
            arena.close();
            return null;
        }
    }

    private boolean reclaim() {
        int before = leases.size();
        for (Lease lease : List.copyOf(leases)) {
            lease.owner.shrink();
        }
        return leases.size() < before;
    }

    private @Nullable Lease largest() {
        Lease largest = null;
        for (Lease lease : leases) {
            if (largest == null || lease.bytes() > largest.bytes()) {
                largest = lease;
            }
        }
        return largest;
    }

    /** Memory of one connection until it is closed. */
    final class Lease implements AutoCloseable {
        final MemorySegment memory;
        private final Connection owner;
        private final Arena arena;

        private Lease(Connection owner, Arena arena, MemorySegment memory) {
            this.owner = owner;
            this.arena = arena;
            this.memory = memory;
        }

        private long bytes() {
            return memory.byteSize();
        }

        @Override
        public void close() {
            leases.remove(this);
            used -= bytes();
            arena.close();
        }
    }
}
