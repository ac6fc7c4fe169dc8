package io.slipstream.service.gateway;

import org.jspecify.annotations.Nullable;

/**
 * Connections by the session that they serve: open addressing with linear probing, so that finding one boxes nothing.
 * For one thread.
 */
final class ConnectionTable {
    private static final int FIRST_CAPACITY = 64;

    private @Nullable Connection[] places = new Connection[FIRST_CAPACITY];
    private int count;

    @Nullable
    Connection get(long session) {
        return places[find(session)];
    }

    void add(Connection connection) {
        if (2 * (count + 1) > places.length) {
            grow();
        }
        places[find(connection.session)] = connection;
        count++;
    }

    void remove(Connection connection) {
        int gap = find(connection.session);
        int mask = places.length - 1;
        places[gap] = null;
        count--;
        // Whatever probed past the gap moves back into it.
        for (int next = (gap + 1) & mask; places[next] instanceof Connection behind; next = (next + 1) & mask) {
            if (((next - home(behind.session)) & mask) >= ((next - gap) & mask)) {
                places[gap] = behind;
                places[next] = null;
                gap = next;
            }
        }
    }

    private int find(long session) {
        int at = home(session);
        int mask = places.length - 1;
        while (places[at] instanceof Connection connection && connection.session != session) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private int home(long session) {
        return (int) ((session * 0x9E37_79B9_7F4A_7C15L) >>> 32) & (places.length - 1);
    }

    private void grow() {
        @Nullable Connection[] old = places;
        places = new Connection[2 * old.length];
        for (Connection connection : old) {
            if (connection != null) {
                places[find(connection.session)] = connection;
            }
        }
    }
}
