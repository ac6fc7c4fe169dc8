package io.slipstream.service.logic;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sessions by their number: open addressing with linear probing, so that finding one boxes nothing. For one thread. */
final class SessionTable {
    private static final int FIRST_CAPACITY = 64;

    private @Nullable Session[] places = new Session[FIRST_CAPACITY];
    private int count;

    @Nullable
    Session get(long id) {
        return places[find(id)];
    }

    void add(Session session) {
        if (2 * (count + 1) > places.length) {
            grow();
        }
        places[find(session.id)] = session;
        count++;
    }

    void remove(Session session) {
        int gap = find(session.id);
        int mask = places.length - 1;
        places[gap] = null;
        count--;
        // Whatever probed past the gap moves back into it.
        for (int next = (gap + 1) & mask; places[next] instanceof Session behind; next = (next + 1) & mask) {
            if (((next - home(behind.id)) & mask) >= ((next - gap) & mask)) {
                places[gap] = behind;
                places[next] = null;
                gap = next;
            }
        }
    }

    int count() {
        return count;
    }

    /** Hands out all sessions, in no order. */
    void forEach(Consumer<Session> visitor) {
        for (Session session : places) {
            if (session != null) {
                visitor.accept(session);
            }
        }
    }

    void clear() {
        Arrays.fill(places, null);
        count = 0;
    }

    private int find(long id) {
        int at = home(id);
        int mask = places.length - 1;
        while (places[at] instanceof Session session && session.id != id) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private int home(long id) {
        return (int) ((id * 0x9E37_79B9_7F4A_7C15L) >>> 32) & (places.length - 1);
    }

    private void grow() {
        @Nullable Session[] old = places;
        places = new Session[2 * old.length];
        for (Session session : old) {
            if (session != null) {
                places[find(session.id)] = session;
            }
        }
    }
}
