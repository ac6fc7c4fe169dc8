package io.slipstream.service.gateway;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.service.host.FaultPoint;
import io.slipstream.service.host.Host;
import io.slipstream.service.pressure.Inflow;
import io.slipstream.service.protocol.Hello;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Says in the log which connections have ended, as soon as the input ring has room for that: a session of its own ends
 * with its connection, and any other one is without a connection from then on.
 */
final class Farewells {
    private static final long PAUSE_NANOS = 250_000_000;

    private final Host host;
    private final FrameRing input;
    private final Queue<Farewell> waiting = new ArrayDeque<>();

    private long nextNanos;

    Farewells(Host host, FrameRing input) {
        this.host = host;
        this.input = input;
        this.nextNanos = host.nanoTime();
    }

    /** Notes that a connection was closed. */
    void ended(Connection connection) {
        if (connection.session != 0 && !connection.leaving) {
            endedBefore(connection.session, Bindings.correlation(connection));
        }
    }

    /** Notes that the connection whose HELLO had that correlation was closed, perhaps before the session was open. */
    void endedBefore(long session, long correlation) {
        waiting.add(new Farewell(
                Hello.endsWithConnection(correlation) ? MessageType.BYE : MessageType.DETACH, session, correlation));
    }

    /** Says again, after a while, what the log had no room for. */
    void again(MemorySegment memory, long offset) {
        waiting.add(new Farewell(
                (short) Message.index(memory, offset),
                Message.session(memory, offset),
                Message.correlation(memory, offset)));
        nextNanos = host.nanoTime() + PAUSE_NANOS;
    }

    /** Puts one message into the input ring, if there is one and there is room; returns whether it did. */
    boolean sendOne(long nowNanos, Inflow inflow) {
        Farewell next = waiting.peek();
        if (next == null || nowNanos - nextNanos < 0 || host.strikes(FaultPoint.LATE_FAREWELL)) {
            return false;
        }
        long position = input.tryClaim(Message.HEADER_BYTES - Frame.HEADER_BYTES);
        if (position == FrameRing.NO_ROOM) {
            return false;
        }
        // A BYE of a connection that is gone has no correlation: nobody waits for its answer.
        Message.headerWithoutLength(
                input.memory(),
                input.offset(position),
                next.type,
                next.session,
                next.type == MessageType.BYE ? 0 : next.correlation);
        inflow.accept(0);
        input.publish(position);
        waiting.remove();
        return true;
    }

    private record Farewell(short type, long session, long correlation) {}
}
