package io.slipstream.service.gateway;

import io.slipstream.core.sequence.Sequence;
import io.slipstream.service.host.Host;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.Hello;
import io.slipstream.service.protocol.MessageType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The open connections, and those among them that have something to write. */
final class Connections implements AutoCloseable {
    private static final long LAST_FLUSH_NANOS = 1_000_000_000;
    private static final long REPORT_NANOS = 1_000_000_000;
    private static final long PEER_TIMEOUT_NANOS = 10_000_000_000L;

    private final Host host;
    private final Bindings bindings;
    private final Subscriptions subscriptions;
    private final Farewells farewells;
    private final Buffers buffers;
    private final Consumer<String> report;
    private final Answers answers = new Answers();

    /* Apart, since an answer to another one may be on its way at that moment. */
    private final Answers lastWords = new Answers();
    private final List<Connection> open = new ArrayList<>();
    private final List<Connection> dirty = new ArrayList<>();

    /* Closed to make room for others, and perhaps in a list that somebody goes through at present. */
    private final List<Connection> letGo = new ArrayList<>();
    private final Sequence closed = new Sequence();
    private long nextReportNanos;

    /**
     * Creates it.
     *
     * @param bufferBytes what all connections together may hold
     * @param report      takes what an operator should know
     */
    Connections(
            Host host,
            Bindings bindings,
            Subscriptions subscriptions,
            Farewells farewells,
            long bufferBytes,
            Consumer<String> report) {
        this.host = host;
        this.bindings = bindings;
        this.subscriptions = subscriptions;
        this.farewells = farewells;
        this.report = report;
        this.nextReportNanos = host.nanoTime();
        this.buffers = new Buffers(host, bufferBytes, this::letGo, report);
    }

    /** Returns the memory that all connections share. */
    Buffers buffers() {
        return buffers;
    }

    /** Returns how many have closed, or were never there although they were given to this gateway. */
    Sequence closed() {
        return closed;
    }

    /** Notes that one which was given to this gateway could not be taken. */
    void turnedAway() {
        closed.setRelease(closed.getPlain() + 1);
    }

    void add(Connection connection) {
        connection.index = open.size();
        open.add(connection);
    }

    int count() {
        return open.size();
    }

    void markDirty(Connection connection) {
        if (!connection.dirty && connection.isOpen()) {
            connection.dirty = true;
            dirty.add(connection);
        }
    }

    /** Lets the conversation write a message of the service. */
    void send(Connection connection, MemorySegment memory, long offset, int length) {
        try {
            connection.conversation.encode(memory, offset, length, connection);
        } catch (RuntimeException e) {
            close(connection);
            return;
        }
        wrote(connection);
    }

    /** What did not fit is a client that reads too slowly: it goes, and gets the rest when it comes back. */
    void wrote(Connection connection) {
        if (connection.broken) {
            close(connection);
        } else if (!connection.tooSlow) {
            markDirty(connection);
        } else if (connection.closing || !connection.hasOutput()) {
            close(connection);
        } else {
            connection.allowLastWords();
            error(
                    connection,
                    FailureCode.SLOW_CONSUMER,
                    "too much is unread: read faster, or resume the session and get what is still kept");
        }
    }

    /** Refuses a request because there is no room. */
    void busy(Connection connection, long correlation, long retryAfterNanos, long pending, long limit) {
        MemorySegment message = answers.busy(connection.session, correlation, retryAfterNanos, pending, limit);
        send(connection, message, 0, answers.length());
    }

    /** Refuses a request because the client sends too much. */
    void overLimit(Connection connection, long correlation, long retryAfterNanos) {
        MemorySegment message = answers.overLimit(connection.session, correlation, retryAfterNanos);
        send(connection, message, 0, answers.length());
    }

    /** Refuses a request. */
    void fail(Connection connection, long correlation, FailureCode code, String text) {
        MemorySegment message = answers.failure(connection.session, MessageType.FAILED, correlation, code, text);
        send(connection, message, 0, answers.length());
    }

    /** Says what is wrong with the stream; the connection closes when the client has it. */
    void error(Connection connection, FailureCode code, String text) {
        // Before the message, so that one that does not fit closes the connection at once.
        connection.closeWhenFlushed();
        MemorySegment message = answers.failure(connection.session, MessageType.ERROR, 0, code, text);
        send(connection, message, 0, answers.length());
    }

    void flushDirty() {
        while (!letGo.isEmpty()) {
            forget(letGo.removeLast());
        }
        for (int i = 0; i < dirty.size(); i++) {
            Connection connection = dirty.get(i);
            connection.dirty = false;
            if (connection.isOpen()) {
                flush(connection);
            }
        }
        dirty.clear();
    }

    /**
     * Closes those that have not shown who they are since they were opened, or have not ended the request that they
     * have begun; those that do not take what they were told at the end; those that have ended their stream and could
     * not be answered since; and those that have promised to give signs of life and give none.
     *
     * @param asks whether clients have to log in
     */
    void sweep(long nowNanos, boolean asks) {
        for (int i = open.size() - 1; i >= 0; i--) {
            Connection connection = open.get(i);
            boolean silent = !connection.opening
                    && !connection.outOfLog
                    && (asks || connection.unparsed() > 0 || !connection.isEstablished())
                    && nowNanos - connection.openedAtNanos > PEER_TIMEOUT_NANOS;
            if (silent
                    || connection.isSilent(nowNanos, Hello.SILENCE_NANOS)
                    || connection.closingForNanos(nowNanos) > PEER_TIMEOUT_NANOS
                    || connection.endedForNanos(nowNanos) > PEER_TIMEOUT_NANOS) {
                close(connection);
            }
        }
    }

    /** Ends those whose credentials have expired since they came. */
    void endExpired(Admission admission) {
        for (int i = open.size() - 1; i >= 0; i--) {
            Connection connection = open.get(i);
            if (!connection.closing && admission.hasExpired(connection)) {
                error(connection, FailureCode.UNAUTHENTICATED, "the credentials have expired");
            }
        }
    }

    /** Ends all connections with a reason. */
    void endAll(FailureCode code, String reason) {
        for (int i = open.size() - 1; i >= 0; i--) {
            if (!open.get(i).closing) {
                error(open.get(i), code, reason);
            }
        }
    }

    /** The client sends nothing more: the connection closes once it has what it is owed. */
    void ended(Connection connection) {
        if (connection.isShared()) {
            // Nobody is left who could read: see MemoryLink.
            close(connection);
        } else {
            connection.end();
            markDirty(connection);
        }
    }

    void close(Connection connection) {
        if (connection.isOpen()) {
            shut(connection);
            forget(connection);
        }
    }

    private void shut(Connection connection) {
        connection.close();
        closed.setRelease(closed.getPlain() + 1);
    }

    private void forget(Connection connection) {
        Connection last = open.removeLast();
        if (last != connection) {
            open.set(connection.index, last);
            last.index = connection.index;
        }
        bindings.remove(connection);
        subscriptions.removeAll(connection);
        farewells.ended(connection);
        connection.conversation.end();
    }

    /** Writes what is still to be written, for a while, and closes all. */
    @Override
    public void close() {
        long deadline = host.nanoTime() + LAST_FLUSH_NANOS;
        try {
            while (open.stream().anyMatch(Connection::hasOutput) && host.nanoTime() - deadline < 0) {
                List.copyOf(open).forEach(connection -> {
                    connection.blocked = false;
                    markDirty(connection);
                });
                flushDirty();
                host.pause(100_000);
            }
        } finally {
            open.forEach(Connection::close);
            buffers.close();
        }
    }

    /**
     * Closes the one that holds the most memory, when others need it. It is forgotten later, since whoever needs it may
     * be going through the subscribers of a topic, or all that are open.
     */
    private void letGo(Connection connection) {
        String why = "the memory for what clients have left unread or half sent is used up, and this one holds "
                + connection.heldBytes() + " bytes of " + buffers.limit();
        long now = host.nanoTime();
        if (now - nextReportNanos >= 0) {
            nextReportNanos = now + REPORT_NANOS;
            report.accept("the client at " + connection.remote() + " is disconnected: " + why);
        }
        // Where answers come in the order of the requests, this would be taken for one of those that are due.
        boolean isHeard = connection.pending == 0 || connection.conversation instanceof NativeProtocol;
        if (isHeard && !connection.closing && connection.endsIn(buffers.spare())) {
            say(connection, FailureCode.SLOW_CONSUMER, why);
        }
        connection.closeWhenFlushed();
        shut(connection);
        letGo.add(connection);
    }

    private void say(Connection connection, FailureCode code, String text) {
        MemorySegment message = lastWords.failure(connection.session, MessageType.ERROR, 0, code, text);
        try {
            connection.conversation.encode(message, 0, lastWords.length(), connection);
            connection.flush();
        } catch (IOException | RuntimeException e) {
            // It is closed anyway.
        }
    }

    private void flush(Connection connection) {
        try {
            if (!connection.blocked) {
                connection.flush();
            }
        } catch (IOException e) {
            close(connection);
            return;
        }
        connection.releaseIdle();
        if ((connection.closing || connection.isDone()) && !connection.hasOutput()) {
            close(connection);
        } else {
            connection.updateInterest();
        }
    }
}
