package io.slipstream.service.gateway;

import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.MessageType;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The open connections, and those among them that have something to write. */
final class Connections implements AutoCloseable {
    private static final long LAST_FLUSH_NANOS = 1_000_000_000;
    private static final long PEER_TIMEOUT_NANOS = 10_000_000_000L;

    private final Bindings bindings;
    private final OutputMemory outputMemory;
    private final List<Connection> open = new ArrayList<>();
    private final List<Connection> dirty = new ArrayList<>();

    Connections(Bindings bindings, long maxAllOutputBytes) {
        this.bindings = bindings;
        this.outputMemory = new OutputMemory(maxAllOutputBytes, this::close);
    }

    /** Returns what all connections write to when their first buffers are full. */
    OutputMemory outputMemory() {
        return outputMemory;
    }

    void add(Connection connection) {
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

    /** What did not fit is a client that reads too slowly: it goes, and gets the rest when it comes back. */
    void wrote(Connection connection, boolean fitted) {
        if (fitted) {
            markDirty(connection);
        } else {
            close(connection);
        }
    }

    /** Says what is wrong with the stream; the connection closes when the client has it. */
    void error(Connection connection, FailureCode code, String text) {
        wrote(connection, Answers.failure(connection, MessageType.ERROR, 0, code, text));
        connection.closeWhenFlushed();
    }

    void flushDirty() {
        for (int i = 0; i < dirty.size(); i++) {
            Connection connection = dirty.get(i);
            connection.dirty = false;
            try {
                if (connection.isOpen()) {
                    flush(connection);
                }
            } catch (IOException e) {
                close(connection);
            }
        }
        dirty.clear();
    }

    /**
     * Closes those that have been silent since they were opened, and those that do not take what they were told at the
     * end.
     */
    void sweep(long nowNanos) {
        for (int i = open.size() - 1; i >= 0; i--) {
            Connection connection = open.get(i);
            boolean silent = !connection.greeted && nowNanos - connection.openedAtNanos > PEER_TIMEOUT_NANOS;
            if (silent || connection.closingForNanos(nowNanos) > PEER_TIMEOUT_NANOS) {
                close(connection);
            }
        }
    }

    void close(Connection connection) {
        if (!connection.isOpen()) {
            return;
        }
        connection.close();
        open.remove(connection);
        bindings.remove(connection);
    }

    /** Writes what is still to be written, for a while, and closes all. */
    @Override
    public void close() {
        long deadline = System.nanoTime() + LAST_FLUSH_NANOS;
        try {
            while (open.stream().anyMatch(Connection::hasOutput) && System.nanoTime() - deadline < 0) {
                List.copyOf(open).forEach(this::markDirty);
                flushDirty();
                LockSupport.parkNanos(100_000);
            }
        } finally {
            open.forEach(Connection::close);
        }
    }

    private void flush(Connection connection) throws IOException {
        if (connection.hasOutput()) {
            connection.flush();
        }
        if (connection.closing && !connection.hasOutput()) {
            close(connection);
        } else {
            connection.updateInterest();
        }
    }
}
