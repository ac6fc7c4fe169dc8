package io.slipstream.service.gateway;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;

import java.util.ArrayDeque;
import java.util.Queue;

/** Ends the sessions that end with their connections, as soon as the input ring has room for that. */
final class Farewells {
    private final FrameRing input;
    private final Queue<Long> waiting = new ArrayDeque<>();

    Farewells(FrameRing input) {
        this.input = input;
    }

    /** Notes that a connection was closed. */
    void ended(Connection connection) {
        if (connection.ephemeral && connection.session != 0) {
            ended(connection.session);
        }
    }

    /** Notes that the connection of a session of its own was closed before the session was open. */
    void ended(long session) {
        waiting.add(session);
    }

    /** Puts one message into the input ring, if there is one and there is room; returns whether it did. */
    boolean sendOne() {
        Long session = waiting.peek();
        if (session == null) {
            return false;
        }
        long position = input.tryClaim(Message.HEADER_BYTES - Frame.HEADER_BYTES);
        if (position == FrameRing.NO_ROOM) {
            return false;
        }
        Message.header(input.memory(), input.offset(position), MessageType.BYE, 0, session, 0);
        input.publish(position);
        waiting.remove();
        return true;
    }
}
