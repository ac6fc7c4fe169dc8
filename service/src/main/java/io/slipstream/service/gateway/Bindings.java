package io.slipstream.service.gateway;

import io.slipstream.service.collection.LongMap;
import io.slipstream.service.protocol.Hello;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which connection serves which session, and which connections wait for their WELCOME. */
final class Bindings {
    /* What is above may have been added by a cluster, where numbers of connections belong to members. */
    private static final long NUMBER = (1L << 56) - 1;

    private final int gateway;
    private final int gateways;
    private final Map<Long, Connection> greeting = new HashMap<>();
    private final LongMap<Connection> bySession = new LongMap<>();
    private final Map<Long, Connection> outOfLog = new HashMap<>();
    private long lastNumber;

    /** Creates those of the only gateway of a service. */
    Bindings() {
        this(0, 1);
    }

    /**
     * Creates those of one of several gateways.
     *
     * @param gateway  which one it is, from 0 on
     * @param gateways how many there are
     */
    Bindings(int gateway, int gateways) {
        this.gateway = gateway;
        this.gateways = gateways;
        this.lastNumber = gateway;
    }

    /** Returns a number for a new connection; divided by that of the gateways it leaves that of this one. */
    long newNumber() {
        lastNumber += gateways;
        return lastNumber;
    }

    /** Returns whether a HELLO with that correlation came from this gateway. */
    boolean isOurs(long correlation) {
        return ((correlation & NUMBER) >> 1) % gateways == gateway;
    }

    /**
     * Notes that the HELLO of {@code connection} is on its way, and returns the correlation for it: the number of the
     * connection, and whether the session ends with it.
     */
    long greet(Connection connection) {
        greeting.put(connection.id, connection);
        return correlation(connection);
    }

    /** Returns the correlation that the HELLO of {@code connection} has. */
    static long correlation(Connection connection) {
        return Hello.correlation(connection.id, connection.ephemeral);
    }

    /** Returns the connection whose HELLO had that correlation and is answered, or null if it has gone meanwhile. */
    @Nullable
    Connection greeted(long correlation) {
        return greeting.remove((correlation & NUMBER) >> 1);
    }

    /** Returns the number, negative, that queries of a connection without a session have in place of one. */
    static long withoutSession(Connection connection) {
        return -connection.id;
    }

    /** Lets a connection that can have no session at present get answers to queries. */
    void bindWithoutSession(Connection connection) {
        connection.outOfLog = true;
        outOfLog.put(withoutSession(connection), connection);
    }

    /** Lets {@code connection} serve {@code session}; returns the connection whose place it takes, or null. */
    @Nullable
    Connection bind(Connection connection, long session) {
        Connection former = unbind(session);
        if (connection.outOfLog) {
            connection.outOfLog = false;
            outOfLog.remove(withoutSession(connection));
        }
        connection.session = session;
        bySession.put(session, connection);
        return former;
    }

    /** Lets no connection serve {@code session} any more; returns the one that did, or null. */
    @Nullable
    Connection unbind(long session) {
        Connection former = bySession.get(session);
        if (former != null) {
            bySession.remove(session);
        }
        return former;
    }

    /** Returns the connection that serves {@code session}, or has that number in place of one, or null. */
    @Nullable
    Connection of(long session) {
        if (session < 0) {
            return outOfLog.get(session);
        }
        return session == 0 ? null : bySession.get(session);
    }

    /** Forgets a connection that was closed. */
    void remove(Connection connection) {
        greeting.remove(connection.id);
        outOfLog.remove(withoutSession(connection));
        if (connection.session != 0 && bySession.get(connection.session) == connection) {
            bySession.remove(connection.session);
        }
    }
}
