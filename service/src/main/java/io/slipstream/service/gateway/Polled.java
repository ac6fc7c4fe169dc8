package io.slipstream.service.gateway;

import io.slipstream.service.net.MemoryLink;
import io.slipstream.service.net.SelectorSignal;
import java.util.ArrayList;
import java.util.List;

/** The connections through shared memory, which no selector watches as long as the gateway is awake. */
final class Polled implements SelectorSignal.Bells {
    /** What to do with a connection that can go on. */
    @FunctionalInterface
    interface Sink {
        void onProgress(Connection connection, boolean hasInput);
    }

    private record Entry(Connection connection, MemoryLink link) {
        boolean hasInput() {
            return connection.isRead() && link.hasInput();
        }

        boolean hasRoom() {
            return connection.blocked && link.isEstablished() && !link.waitsForRoom();
        }
    }

    private final List<Entry> open = new ArrayList<>();

    void add(Connection connection, MemoryLink link) {
        open.add(new Entry(connection, link));
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    /** Hands those that can go on to {@code sink}, and forgets those that were closed; returns how many could. */
    int poll(Sink sink) {
        int progress = 0;
        for (int i = open.size() - 1; i >= 0; i--) {
            Entry entry = open.get(i);
            if (!entry.connection.isOpen()) {
                Entry last = open.removeLast();
                if (i < open.size()) {
                    open.set(i, last);
                }
                continue;
            }
            boolean hasInput = entry.hasInput();
            if (hasInput || entry.hasRoom()) {
                sink.onProgress(entry.connection, hasInput);
                progress++;
            }
        }
        return progress;
    }

    @Override
    public boolean arm() {
        boolean nothing = true;
        for (int i = 0; i < open.size(); i++) {
            Entry entry = open.get(i);
            if (entry.connection.isOpen()) {
                entry.link.arm();
                nothing &= !entry.hasInput();
            }
        }
        return nothing;
    }

    @Override
    public void disarm() {
        for (int i = 0; i < open.size(); i++) {
            Entry entry = open.get(i);
            if (entry.connection.isOpen()) {
                entry.link.disarm();
            }
        }
    }
}
