package io.slipstream.service.gateway;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.Hello;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Takes the messages out of what was read, checks them, and puts those that there is room for into the input ring.
 *
 * <p>A new command that there is no room for is refused at once, which tells the client that it was not applied. Of one
 * that was sent before, on an earlier connection, nobody here knows that: its connection is held, unread, until there
 * is room, and the logic tells.
 */
final class Intake {
    private final GatewayLimits limits;
    private final FrameRing input;
    private final PendingLimit admission;
    private final Connections connections;
    private final Bindings bindings;
    private final Sequence accepted = new Sequence();
    private final Sequence refused = new Sequence();
    private final Queue<Connection> held = new ArrayDeque<>();
    private volatile boolean refusing;

    Intake(GatewayLimits limits, FrameRing input, Sequence processed, Connections connections, Bindings bindings) {
        this.limits = limits;
        this.input = input;
        this.admission = new PendingLimit(processed, limits.responseTimeNanos(), limits.minPending(),
                limits.maxPending());
        this.connections = connections;
        this.bindings = bindings;
    }

    /** Returns how many messages went into the input ring. */
    Sequence accepted() {
        return accepted;
    }

    /** Returns how many commands were refused. */
    Sequence refused() {
        return refused;
    }

    /** From now on nothing is taken any more; callable by any thread. */
    void refuseAll() {
        refusing = true;
    }

    void measure(long nowNanos) {
        admission.measure(nowNanos);
    }

    /** Reads what has arrived and takes what is complete; returns false at the end of the stream. */
    boolean read(Connection connection) throws IOException {
        boolean open = connection.read();
        take(connection);
        return open;
    }

    /** Goes on with the held connections, if there is room now; returns how many go on. */
    int resumeHeld() {
        if (held.isEmpty() || !hasRoom()) {
            return 0;
        }
        int waiting = held.size();
        for (int i = 0; i < waiting; i++) {
            // What cannot go on after all comes behind those that wait.
            Connection connection = held.remove();
            connection.held = false;
            if (connection.isOpen()) {
                take(connection);
                connections.markDirty(connection);
            }
        }
        return waiting;
    }

    private boolean hasRoom() {
        return !refusing && admission.hasRoom();
    }

    private void take(Connection connection) {
        while (!connection.closing && !connection.held && connection.unparsed() >= Message.HEADER_BYTES) {
            MemorySegment memory = connection.inputMemory();
            int offset = connection.parsedTo();
            int length = Frame.length(memory, offset);
            if (!hasSoundHeader(connection, memory, offset, length)) {
                return;
            }
            int aligned = Frame.align(length);
            if (connection.unparsed() < aligned) {
                break;
            }
            onMessage(connection, memory, offset, length);
            if (!connection.held) {
                connection.take(aligned);
            }
        }
        connection.compactInput();
    }

    private boolean hasSoundHeader(Connection connection, MemorySegment memory, int offset, int length) {
        if (length < Message.HEADER_BYTES) {
            connections.error(connection, FailureCode.MALFORMED, "a frame has at least " + Message.HEADER_BYTES
                    + " bytes; this one says that it has " + length);
            return false;
        }
        if (length > limits.maxFrameLength()) {
            connections.error(connection, FailureCode.TOO_LONG, "a frame has at most " + limits.maxFrameLength()
                    + " bytes; this one says that it has " + length);
            return false;
        }
        byte version = Message.version(memory, offset);
        if (version != Message.VERSION) {
            connections.error(connection, FailureCode.UNSUPPORTED_VERSION, "this service speaks version "
                    + Message.VERSION + " of the protocol, not " + version);
            return false;
        }
        return true;
    }

    private void onMessage(Connection connection, MemorySegment memory, int offset, int length) {
        switch (Message.type(memory, offset)) {
            case MessageType.COMMAND, MessageType.QUERY, MessageType.STATUS, MessageType.BYE ->
                    onCommand(connection, memory, offset, length);
            case MessageType.HELLO -> onHello(connection, memory, offset, length);
            default -> fail(connection, memory, offset, FailureCode.UNKNOWN_TYPE,
                    "there is no message of type " + Message.type(memory, offset) + " for a service");
        }
    }

    private void onCommand(Connection connection, MemorySegment memory, int offset, int length) {
        if (connection.session == 0) {
            fail(connection, memory, offset, FailureCode.NO_SESSION, "say HELLO, and wait for WELCOME, first");
        } else if (!hasRoom() || !offer(memory, offset, length, connection.session,
                Message.correlation(memory, offset))) {
            onNoRoom(connection, memory, offset);
        }
    }

    private void onNoRoom(Connection connection, MemorySegment memory, int offset) {
        if (Message.isResent(memory, offset)) {
            connection.held = true;
            held.add(connection);
        } else if (refusing) {
            fail(connection, memory, offset, FailureCode.CLOSING, "the service is shutting down");
        } else {
            refuse(connection, Message.correlation(memory, offset));
        }
    }

    private void onHello(Connection connection, MemorySegment memory, int offset, int length) {
        if (length != Message.HEADER_BYTES + Hello.BYTES || Hello.magic(memory, offset) != Hello.MAGIC
                || Hello.key(memory, offset) == 0) {
            connections.error(connection, FailureCode.MALFORMED, "this is not the HELLO of a client of this service");
        } else if (connection.greeted) {
            connections.error(connection, FailureCode.MALFORMED, "HELLO came twice");
        } else if (refusing) {
            connections.error(connection, FailureCode.CLOSING, "the service is shutting down");
        } else if (offer(memory, offset, length, 0, connection.id)) {
            connection.greeted = true;
            bindings.greet(connection);
        } else {
            refuse(connection, 0);
        }
    }

    private boolean offer(MemorySegment memory, int offset, int length, long session, long correlation) {
        long position = input.tryClaim(length - Frame.HEADER_BYTES);
        if (position == FrameRing.NO_ROOM) {
            return false;
        }
        MemorySegment ring = input.memory();
        long at = input.offset(position);
        MemorySegment.copy(memory, offset + Frame.HEADER_BYTES, ring, at + Frame.HEADER_BYTES,
                length - Frame.HEADER_BYTES);
        Message.flags(ring, at, (byte) 0);
        Message.index(ring, at, 0);
        Message.sequence(ring, at, 0);
        Message.session(ring, at, session);
        Message.correlation(ring, at, correlation);
        Message.timeNanos(ring, at, 0);
        admission.accept();
        accepted.setRelease(accepted.getPlain() + 1);
        input.publish(position);
        return true;
    }

    private void refuse(Connection connection, long correlation) {
        refused.setRelease(refused.getPlain() + 1);
        connections.wrote(connection, Answers.busy(connection, correlation, admission));
    }

    private void fail(Connection connection, MemorySegment memory, int offset, FailureCode code, String text) {
        connections.wrote(connection, Answers.failure(connection, MessageType.FAILED,
                Message.correlation(memory, offset), code, text));
    }
}
