package io.slipstream.service.logic;

import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.protocol.ConnectionNumbers;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Start;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The sessions that the service remembers, bounded in number. A new one takes the place of the one that nobody has been
 * connected to for the longest time; a session with a connection is never forgotten for another one.
 *
 * <p>All of it follows from the log: connections that end are logged, and each start ends them all.
 */
public final class Sessions {
    /** The most sessions that a service may remember. */
    public static final int MAX = 1 << 20;

    private final SessionTable byId = new SessionTable();
    private final Map<Long, Session> byKey = new HashMap<>();
    private final int outboxBytes;
    private int limit = MAX;
    private boolean tells;

    /* Those without a connection, the one first that lost it first; linked, so that each step takes the same
    short time. */
    private @Nullable Session oldestDetached;
    private @Nullable Session newestDetached;

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
    @Nullable
    Session get(long id) {
        return byId.get(id);
    }

    /** Returns the session with that key, or null. */
    @Nullable
    Session withKey(long key) {
        return byKey.get(key);
    }

    /** Returns whether there is room for one more. */
    boolean hasRoom() {
        return byId.count() < limit;
    }

    /** Returns the session that has had no connection for the longest time, or null if each has one. */
    @Nullable
    Session oldestDetached() {
        return oldestDetached;
    }

    /**
     * Sets whether a session tells its connections apart from now on, see {@link Start#LATEST_CONNECTION}; at the start
     * of a service, when none has a connection.
     */
    void tellConnections(boolean newTells) {
        tells = newTells;
        if (!newTells) {
            byId.forEach(session -> {
                session.number = 0;
                session.resumptions = 0;
            });
        }
    }

    /**
     * Opens a session; its number is the sequence of the log entry that opens it.
     *
     * @param number the client's own number of the connection
     */
    Session open(long key, long sequence, long connection, long number, String principal) {
        Session session = new Session(sequence, key, principal, outboxBytes);
        session.connection = connection;
        session.number = tells ? number : 0;
        byId.add(session);
        byKey.put(key, session);
        return session;
    }

    /** Returns whether that is an earlier connection of the client which has resumed the session since. */
    boolean isEarlier(Session session, long number) {
        return tells && ConnectionNumbers.isEarlier(number, session.number);
    }

    /**
     * Returns whether a request has come on an earlier connection than the one that has the session by now, and was on
     * its way when that was resumed. The client has sent it again on the later one, where alone it is answered: a
     * refusal of the one and an answer to the other would contradict each other.
     */
    boolean isStale(Session session, MemorySegment memory, long offset) {
        return tells && session.resumptions != Message.resumption(memory, offset) && !isOfGateway(memory, offset);
    }

    /** What a gateway says of a connection names that itself, or ends a session that nobody else can have. */
    private static boolean isOfGateway(MemorySegment memory, long offset) {
        short type = Message.type(memory, offset);
        return type == MessageType.DETACH || type == MessageType.BYE && Message.correlation(memory, offset) == 0;
    }

    /** Notes that a connection has resumed the session. */
    void attach(Session session, long connection, long number) {
        if (session.connection == 0) {
            unlink(session);
        }
        session.connection = connection;
        if (tells) {
            session.number = number;
            session.resumptions = (session.resumptions + 1) % Message.RESUMPTIONS;
        }
    }

    /** Notes that the connection has ended, unless another one has taken the session over since. */
    void detach(Session session, long connection) {
        if (session.connection == connection && connection != 0) {
            session.connection = 0;
            link(session);
        }
    }

    /** Notes that all connections have ended, in the order of the sessions' last activity. */
    void detachAll() {
        detachAll(connection -> true);
    }

    /** Notes that the connections which {@code ended} knows have ended, in the order of the sessions' last activity. */
    void detachAll(LongPredicate ended) {
        attached(ended).forEach(session -> detach(session, session.connection));
    }

    /** Returns the sessions whose connection is one of {@code which}, in the order of their last activity. */
    List<Session> attached(LongPredicate which) {
        List<Session> attached = new ArrayList<>();
        byId.forEach(session -> {
            if (session.connection != 0 && which.test(session.connection)) {
                attached.add(session);
            }
        });
        attached.sort(
                Comparator.<Session>comparingLong(session -> session.lastActive).thenComparingLong(s -> s.id));
        return attached;
    }

    /** Forgets a session. */
    void close(Session session) {
        if (session.connection == 0) {
            unlink(session);
        }
        byId.remove(session);
        byKey.remove(session.key);
    }

    /** Returns how many sessions there are. */
    int count() {
        return byId.count();
    }

    /**
     * Writes all sessions: those with a connection by number, then the others in the order in which they lost theirs.
     */
    void save(StateOutput to, boolean withKept) {
        List<Session> attached = new ArrayList<>();
        byId.forEach(session -> {
            if (session.connection != 0) {
                attached.add(session);
            }
        });
        attached.sort(Comparator.comparingLong(session -> session.id));
        to.writeInt(limit);
        to.writeInt(byId.count());
        attached.forEach(session -> session.save(to, withKept));
        for (Session session = oldestDetached; session != null; session = session.newer) {
            session.save(to, withKept);
        }
    }

    /**
     * Reads what {@link #save} has written, in place of what is there.
     *
     * @param tellsConnections whether it was written since sessions tell their connections apart
     */
    void load(StateInput from, boolean tellsConnections) {
        byId.clear();
        byKey.clear();
        oldestDetached = null;
        newestDetached = null;
        limit = from.readInt();
        int count = from.readInt();
        for (int i = 0; i < count; i++) {
            Session session = Session.load(from, outboxBytes, tellsConnections);
            byId.add(session);
            byKey.put(session.key, session);
            if (session.connection == 0) {
                link(session);
            }
        }
    }

    private void link(Session session) {
        Session newest = newestDetached;
        session.older = newest;
        if (newest == null) {
            oldestDetached = session;
        } else {
            newest.newer = session;
        }
        newestDetached = session;
    }

    private void unlink(Session session) {
        Session older = session.older;
        Session newer = session.newer;
        if (older == null) {
            oldestDetached = newer;
        } else {
            older.newer = newer;
        }
        if (newer == null) {
            newestDetached = older;
        } else {
            newer.older = older;
        }
        session.older = null;
        session.newer = null;
    }
}
