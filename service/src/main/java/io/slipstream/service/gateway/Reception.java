package io.slipstream.service.gateway;

import io.slipstream.service.net.MemoryDoor;
import io.slipstream.service.spi.Protocol;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All places where clients of a service connect. For the thread of the gateway that accepts. */
final class Reception implements AutoCloseable {
    private final List<Listener> listeners = new ArrayList<>();
    private @Nullable MemoryDoor door;

    private Reception() {}

    /**
     * Binds the addresses.
     *
     * @param memory   where the native protocol is spoken through shared memory; null for nowhere
     * @param selector of the gateway that accepts
     * @param visitors takes each client that has connected
     * @throws IOException if an address cannot be bound; the message names it
     */
    static Reception open(
            Gateways together,
            Map<Protocol, InetSocketAddress> addresses,
            @Nullable Path memory,
            Selector selector,
            BiConsumer<SocketChannel, Listener> visitors)
            throws IOException {
        Consumer<String> report = together.report;
        int backlog = together.limits.backlog();
        Reception opened = new Reception();
        try {
            for (Map.Entry<Protocol, InetSocketAddress> address : addresses.entrySet()) {
                opened.listeners.add(new Listener(
                        Listener.bind(together.host, address.getValue(), backlog),
                        address.getKey(),
                        false,
                        selector,
                        visitors,
                        report));
            }
            if (memory != null) {
                MemoryDoor made = new MemoryDoor(memory, backlog);
                opened.door = made;
                opened.listeners.add(
                        new Listener(made.server(), NativeProtocol.INSTANCE, true, selector, visitors, report));
            }
            return opened;
        } catch (IOException | RuntimeException | Error e) {
            opened.close();
            throw e;
        }
    }

    /** Returns the port where {@code protocol} is spoken; any thread may ask. */
    int port(Protocol protocol) {
        for (Listener listener : listeners) {
            if (listener.protocol() == protocol) {
                return listener.port();
            }
        }
        throw new IllegalArgumentException("this service does not speak " + protocol.name());
    }

    /** Listens again where it was not possible to accept. */
    void resume() {
        for (Listener listener : listeners) {
            listener.resume();
        }
    }

    /** Accepts nobody any more. */
    void shut() throws IOException {
        for (Listener listener : listeners) {
            listener.close();
        }
    }

    @Override
    public void close() throws IOException {
        try (MemoryDoor _ = door) {
            shut();
        }
    }
}
