package io.slipstream.service.gateway;

import io.slipstream.core.thread.Signal;
import io.slipstream.service.host.Host;
import org.jspecify.annotations.Nullable;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** Signatures and keys of TLS are computed on other threads, so that nobody waits for those who come. */
final class Handshakes {
    private final Host host;
    private final Signal signal;
    private final Queue<Connection> computed = new ConcurrentLinkedQueue<>();

    /** Creates it; {@code signal} wakes the gateway. */
    Handshakes(Host host, Signal signal) {
        this.host = host;
        this.signal = signal;
    }

    /** Returns what runs the tasks of that connection. */
    Consumer<Runnable> of(Connection connection) {
        return task -> host.run("slipstream-tls", () -> {
            try {
                task.run();
            } finally {
                computed.add(connection);
                signal.wake();
            }
        });
    }

    /** Returns a connection that can go on, or null; for the gateway's thread. */
    @Nullable Connection next() {
        return computed.poll();
    }
}
