package io.slipstream.service.log;

import io.slipstream.core.sequence.Sequence;
import io.slipstream.service.host.FaultPoint;
import io.slipstream.service.host.Host;
import io.slipstream.service.pressure.CommandTimes;
import io.slipstream.service.pressure.Workload;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.MemorySegment;

/**
 * Decides how much of what has arrived is logged by now.
 *
 * <p>What is logged must be applied, however long that takes, so no more is logged ahead of the state machine than it
 * does in half of the response time; of a kind that was never measured only one. What waits here meanwhile is refused
 * once its time is over: since it is in no log, that is as if it had never come.
 *
 * <pre>
 *   input ring    ░░░░░░░░░░░░░▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓
 *                 held         logged, half of the response time at most  ──▶ state machine
 * </pre>
 *
 * Nothing is refused at the first look: a disk that was slow, or a thread that did not run, is no queue. For one
 * thread; nothing here allocates.
 */
final class Pace {
    private final Host host;
    private final CommandTimes times;
    private final Sequence processed;
    private final long responseNanos;
    private final long horizonNanos;
    private final Workload ahead = new Workload();
    private long formerLookNanos;
    private long lookNanos;
    private boolean fills;

    /**
     * Creates it.
     *
     * @param processed how many of those that went past here, the service's own apart, the state machine is done with
     */
    Pace(Host host, CommandTimes times, Sequence processed, long responseNanos, long nowNanos) {
        this.host = host;
        this.times = times;
        this.processed = processed;
        this.responseNanos = responseNanos;
        this.horizonNanos = responseNanos / 2;
        this.lookNanos = nowNanos;
        this.formerLookNanos = nowNanos;
    }

    /** A look at the ring begins. */
    void look(long nowNanos) {
        formerLookNanos = lookNanos;
        lookNanos = nowNanos;
        ahead.done(processed.getAcquire());
        fills = ahead.nanos() <= horizonNanos / 2;
    }

    /**
     * Lets the next message of the ring go on, unless it has to wait here. One that is refused because its time is over
     * goes on, and is marked as {@link Message#LATE}.
     *
     * @return whether it goes on; if not, neither does what is behind it, until the next look
     */
    boolean admit(MemorySegment memory, long at, int length) {
        short type = Message.type(memory, at);
        if (MessageType.isRequest(type)) {
            return admitRequest(memory, at, length);
        }
        if (!MessageType.isOwn(type)) {
            ahead.add(Math.max(0, times.nanos(times.place(memory, at, length))));
        }
        return true;
    }

    private boolean admitRequest(MemorySegment memory, long at, int length) {
        long arrived = Message.timeNanos(memory, at);
        boolean isLate = arrived - formerLookNanos <= 0 && lookNanos - arrived + ahead.nanos() > responseNanos;
        if (isLate || host.strikes(FaultPoint.LATE_COMMAND)) {
            Message.sequence(memory, at, Message.LATE);
            ahead.add(0);
            return true;
        }
        long measured = times.nanos(times.place(memory, at, length));
        long nanos = measured == CommandTimes.UNKNOWN ? horizonNanos : measured;
        boolean isEnough = ahead.nanos() > 0 && (!fills || ahead.nanos() + nanos > horizonNanos);
        if (isEnough || host.strikes(FaultPoint.HELD_COMMAND)) {
            return false;
        }
        if (Message.type(memory, at) == MessageType.QUERY) {
            // Nothing but the log says when it is.
            Message.timeNanos(memory, at, 0);
        }
        ahead.add(nanos);
        return true;
    }
}
