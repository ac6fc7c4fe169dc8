package io.slipstream.service.logic;

import io.slipstream.service.protocol.SessionNumber;
import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/**
 * The sessions that the service remembers, bounded in number: a new one takes the place of the one that has been silent
 * for the longest time of the log.
 *
 * <p>The lowest bits of a session's number are its slot, so that finding it takes no search.
 */
final class Sessions {
    private final @Nullable Session[] slots = new Session[SessionNumber.SLOTS];
    private final Map<Long, Session> byKey = new HashMap<>();
    private final int outboxBytes;
    private int limit = SessionNumber.SLOTS;

    Sessions(int outboxBytes) {
        this.outboxBytes = outboxBytes;
    }

    /** Sets how many sessions there may be; those that are there stay until the next one is opened. */
    void limit(int newLimit) {
        limit = newLimit;
    }

    int limit() {
        return limit;
    }

    /** Returns the session with that number, or null. */
    @Nullable Session get(long id) {
        Session session = slots[SessionNumber.slot(id)];
        return session != null && session.id == id ? session : null;
    }

    /** Returns the session with that key, or null. */
    @Nullable Session withKey(long key) {
        return byKey.get(key);
    }

    /** Returns the session that must go before another can be opened, or null if there is room. */
    @Nullable Session toEvict() {
        if (byKey.size() < limit) {
            return null;
        }
        Session oldest = null;
        for (Session session : slots) {
            if (session != null && (oldest == null || session.lastActive < oldest.lastActive)) {
                oldest = session;
            }
        }
        return oldest;
    }

    /** Opens a session; its number is made of the sequence of the log entry that opens it. */
    Session open(long key, long sequence) {
        int slot = 0;
        while (slots[slot] != null) {
            slot++;
        }
        Session session = new Session(SessionNumber.of(sequence, slot), key, outboxBytes);
        slots[slot] = session;
        byKey.put(key, session);
        return session;
    }

    /** Forgets a session. */
    void close(Session session) {
        slots[SessionNumber.slot(session.id)] = null;
        byKey.remove(session.key);
    }

    /** Returns how many sessions there are. */
    int count() {
        return byKey.size();
    }
}
