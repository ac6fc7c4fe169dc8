package io.slipstream.service.logic;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.Duty;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;

import java.util.function.LongSupplier;

/**
 * Writes into the log what the service itself has to say: that the deadline of a timer has come, and what the state
 * was.
 *
 * <p>The thread of the logic tells what there is to say with {@link #after}; the thread that fills the input ring says
 * it, when there is room. A deadline is said once for each value.
 */
public final class OwnEntries implements Duty {
    private final FrameRing input;
    private final LongSupplier clockNanos;
    private final Sequence deadline = new Sequence();
    private final Sequence checkSequence = new Sequence();
    private final Sequence checkHash = new Sequence();
    private final Sequence checkTaken = new Sequence();
    private final Sequence rounds = new Sequence();
    private long tickedFor = Long.MAX_VALUE;
    private long tickedRound;

    /**
     * Creates the duty.
     *
     * @param input      to write to; this duty is one of its publishers
     * @param clockNanos the time since 1970, as entries of the log are stamped with
     */
    public OwnEntries(FrameRing input, LongSupplier clockNanos) {
        this.input = input;
        this.clockNanos = clockNanos;
        deadline.setRelease(Long.MAX_VALUE);
    }

    /** Notes what there is to say after some entries; for the thread of the logic. */
    void after(Logic logic) {
        long next = logic.nextDeadline();
        if (next != deadline.getPlain()) {
            deadline.setRelease(next);
        }
        rounds.setRelease(rounds.getPlain() + 1);
        long sequence = logic.checks().dueSequence();
        // One that was not taken yet is not replaced: its hash would be read with the other's sequence.
        if (sequence != checkSequence.getPlain() && checkTaken.getAcquire() == checkSequence.getPlain()) {
            checkHash.setPlain(logic.checks().dueHash());
            checkSequence.setRelease(sequence);
        }
    }

    /** Does not say again what was in the log at the start; before the threads start. */
    public void startBehind(Logic logic) {
        after(logic);
        checkTaken.setRelease(checkSequence.getPlain());
    }

    /**
     * Returns when the next timer is due, in nanoseconds since 1970; {@link Long#MAX_VALUE} for never. Any thread may
     * ask.
     */
    public long nextDeadline() {
        return deadline.getAcquire();
    }

    @Override
    public int work() {
        return tick() + check();
    }

    private int tick() {
        long due = deadline.getAcquire();
        if (due == Long.MAX_VALUE) {
            tickedFor = Long.MAX_VALUE;
            return 0;
        }
        long round = rounds.getAcquire();
        // What is still due after a round of the logic needs another tick: only so many timers fire at one.
        if ((due == tickedFor && round == tickedRound) || clockNanos.getAsLong() < due) {
            return 0;
        }
        long position = claim(0);
        if (position == FrameRing.NO_ROOM) {
            return 0;
        }
        Message.header(input.memory(), input.offset(position), MessageType.TICK, 0, 0, 0);
        input.publish(position);
        tickedFor = due;
        tickedRound = round;
        return 1;
    }

    private int check() {
        long sequence = checkSequence.getAcquire();
        if (sequence == checkTaken.getPlain()) {
            return 0;
        }
        long hash = checkHash.getPlain();
        long position = claim(2 * Long.BYTES);
        if (position == FrameRing.NO_ROOM) {
            return 0;
        }
        long at = input.offset(position);
        Message.header(input.memory(), at, MessageType.CHECK, 2 * Long.BYTES, 0, 0);
        Message.payloadLong(input.memory(), at, 0, sequence);
        Message.payloadLong(input.memory(), at, 8, hash);
        input.publish(position);
        checkTaken.setRelease(sequence);
        return 1;
    }

    private long claim(int payload) {
        return input.tryClaim(Message.HEADER_BYTES + payload - Frame.HEADER_BYTES);
    }
}
