package io.slipstream.service.client;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/**
 * What was sent on the client's own thread while the window had no room. That thread frees the room, so it must not
 * wait for it: the messages wait here, in order, and go before those of other threads.
 *
 * <p>For the client's thread, but for {@link #isEmpty}.
 */
final class Backlog {
    /** The most bytes that wait; what would be more is not taken. */
    static final long MAX_BYTES = 1 << 26;

    /* What a message takes besides its payload, about. */
    private static final int OVERHEAD_BYTES = 128;

    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private long bytes;
    private volatile boolean empty = true;

    /** Returns whether nothing waits; any thread may ask. */
    boolean isEmpty() {
        return empty;
    }

    /** Takes a message with a copy of its payload; returns whether there was room. */
    boolean add(short type, long number, byte[] payload, CompletableFuture<?> future) {
        if (bytes + payload.length + OVERHEAD_BYTES > MAX_BYTES) {
            return false;
        }
        bytes += payload.length + OVERHEAD_BYTES;
        waiting.add(new Waiting(type, number, payload.clone(), future));
        empty = false;
        return true;
    }

    /** Moves what has room into the window; returns how many messages. */
    int moveTo(Outstanding window) {
        int moved = 0;
        for (Waiting next; (next = waiting.peek()) != null; moved++) {
            MemorySegment payload = MemorySegment.ofArray(next.payload);
            try {
                if (!window.add(next.type, next.number, payload, 0, next.payload.length, 0, next.future)) {
                    break;
                }
            } catch (IllegalStateException e) {
                // Another thread has sent a command of that number meanwhile.
                next.future.completeExceptionally(e);
            }
            remove();
        }
        return moved;
    }

    /** Fails all that waits, through {@code completions}. */
    void failAll(Completions completions, ServiceException why) {
        for (Waiting next; (next = waiting.peek()) != null; ) {
            remove();
            completions.fail(next.future, why);
        }
    }

    private void remove() {
        bytes -= waiting.remove().payload.length + OVERHEAD_BYTES;
        empty = waiting.isEmpty();
    }

    private record Waiting(short type, long number, byte[] payload, CompletableFuture<?> future) {}
}
