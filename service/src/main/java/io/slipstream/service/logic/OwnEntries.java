package io.slipstream.service.logic;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.Duty;
import io.slipstream.service.host.FaultPoint;
import io.slipstream.service.host.Host;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.util.function.BooleanSupplier;

/**
 * Writes into the log what the service itself has to say: that the deadline of a timer has come, and what the state
 * was.
 *
 * <p>The thread of the logic tells what there is to say with {@link #after}; the thread that fills the input ring says
 * it, when there is room. A deadline is said once for each value.
 */
public final class OwnEntries implements Duty {
    private static final long PAUSE_NANOS = 250_000_000;

    /* A timer that always sets itself again for the present time fires a hundred times a second, if nothing else is
    logged. */
    private static final long AGAIN_NANOS = 10_000_000;

    private final FrameRing input;
    private final Host host;
    private final Sequence deadline = new Sequence();
    private final Sequence rounds = new Sequence();
    private final CheckHandover checks = new CheckHandover();
    private BooleanSupplier ticks = () -> true;
    private volatile long ticksFromNanos;
    private volatile long pausedUntilNanos;
    private long tickedFor = Long.MAX_VALUE;
    private long tickedRound;

    /**
     * Creates the duty.
     *
     * @param input to write to; this duty is one of its publishers
     * @param host  tells the time, as entries of the log are stamped with
     */
    public OwnEntries(FrameRing input, Host host) {
        this.input = input;
        this.host = host;
        this.pausedUntilNanos = host.nanoTime();
        this.ticksFromNanos = pausedUntilNanos;
        deadline.setRelease(Long.MAX_VALUE);
    }

    /** Leaves deadlines to others while {@code says} is false; before the threads start. */
    public void ticksWhile(BooleanSupplier says) {
        ticks = says;
    }

    /** Notes what there is to say after some entries; for the thread of the logic. */
    public void after(Logic logic) {
        long next = logic.nextDeadline();
        if (next != deadline.getPlain()) {
            deadline.setRelease(next);
        }
        if (logic.firesAgain()) {
            ticksFromNanos = host.nanoTime() + AGAIN_NANOS;
        }
        rounds.setRelease(rounds.getPlain() + 1);
        checks.offer(logic.checks().dueSequence(), logic.checks().dueHash());
    }

    /** Says again, after a while, what the log had no room for; for the thread of the logic. */
    void unlogged(short type) {
        if (type == MessageType.CHECK) {
            checks.again();
        }
        pausedUntilNanos = host.nanoTime() + PAUSE_NANOS;
    }

    /** Does not say again what was in the log at the start; before the threads start. */
    public void startBehind(Logic logic) {
        after(logic);
        checks.taken();
    }

    /**
     * Returns when the next timer is due, in nanoseconds since 1970; {@link Long#MAX_VALUE} for never, or not before
     * the log has had time to get room. Any thread may ask.
     */
    public long nextDeadline() {
        return isPaused() || !mayTick() ? Long.MAX_VALUE : deadline.getAcquire();
    }

    @Override
    public int work() {
        return isPaused() ? 0 : (mayTick() ? tick() : 0) + check();
    }

    private boolean mayTick() {
        return ticks.getAsBoolean()
                && (deadline.getAcquire() == Long.MAX_VALUE || host.nanoTime() - ticksFromNanos >= 0);
    }

    private int tick() {
        long due = deadline.getAcquire();
        if (due == Long.MAX_VALUE) {
            tickedFor = Long.MAX_VALUE;
            return 0;
        }
        long round = rounds.getAcquire();
        // What is still due after a round of the logic needs another tick: only so many timers fire at one.
        if ((due == tickedFor && round == tickedRound)
                || host.epochNanos() < due
                || host.strikes(FaultPoint.LATE_TIMER)) {
            return 0;
        }
        long position = claim(0);
        if (position == FrameRing.NO_ROOM) {
            return 0;
        }
        Message.headerWithoutLength(input.memory(), input.offset(position), MessageType.TICK, 0, 0);
        input.publish(position);
        tickedFor = due;
        tickedRound = round;
        return 1;
    }

    private int check() {
        if (!checks.isOffered() || host.strikes(FaultPoint.LATE_CHECK)) {
            return 0;
        }
        long position = claim(2 * Long.BYTES);
        if (position == FrameRing.NO_ROOM) {
            return 0;
        }
        long at = input.offset(position);
        Message.headerWithoutLength(input.memory(), at, MessageType.CHECK, 0, 0);
        Message.payloadLong(input.memory(), at, 0, checks.sequence());
        Message.payloadLong(input.memory(), at, 8, checks.hash());
        input.publish(position);
        checks.taken();
        return 1;
    }

    private boolean isPaused() {
        return host.nanoTime() - pausedUntilNanos < 0;
    }

    private long claim(int payload) {
        return input.tryClaim(Message.HEADER_BYTES + payload - Frame.HEADER_BYTES);
    }
}
