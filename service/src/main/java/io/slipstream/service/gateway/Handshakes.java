package io.slipstream.service.gateway;

import io.slipstream.core.thread.Signal;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Signatures and keys of TLS are computed on other threads, so that nobody waits for those who come.
 *
 * <pre>
 *   other thread   task, then add ──▶ wake
 *   gateway        next: the connection, and all that its task has done
 * </pre>
 *
 * @param <C> connections
 */
final class Handshakes<C> {
    private final Consumer<Runnable> elsewhere;
    private final Signal signal;
    private final Queue<C> computed = new ConcurrentLinkedQueue<>();

    /** Creates it; {@code elsewhere} runs a task on another thread, and {@code signal} wakes the gateway. */
    Handshakes(Consumer<Runnable> elsewhere, Signal signal) {
        this.elsewhere = elsewhere;
        this.signal = signal;
    }

    /** Returns what runs the tasks of that connection. */
    Consumer<Runnable> of(C connection) {
        return task -> elsewhere.accept(() -> {
            try {
                task.run();
            } finally {
                computed.add(connection);
                signal.wake();
            }
        });
    }

    /** Returns a connection that can go on, or null; for the gateway's thread. */
    @Nullable
    C next() {
        return computed.poll();
    }
}
