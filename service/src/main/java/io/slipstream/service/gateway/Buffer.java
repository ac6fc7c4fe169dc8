package io.slipstream.service.gateway;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A piece of native memory that {@link Buffers} lends to a connection; the same bytes, as a segment and for a channel.
 */
final class Buffer {
    final MemorySegment memory;
    final ByteBuffer channelBytes;
    final @Nullable Arena arena;

    /** Who holds it, and where in the list of those that are held; {@link Buffers} alone writes them. */
    @Nullable
    Connection owner;

    int index;

    /** Wraps {@code memory}; {@code arena} is closed when it is no longer needed, unless it is null. */
    Buffer(MemorySegment memory, @Nullable Arena arena) {
        this.memory = memory;
        this.channelBytes = memory.asByteBuffer();
        this.arena = arena;
    }

    int bytes() {
        return channelBytes.capacity();
    }
}
