package io.slipstream.service.logic;

import io.slipstream.core.frame.FrameHandler;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.Duty;
import io.slipstream.service.host.FaultPoint;
import io.slipstream.service.host.Host;
import io.slipstream.service.pressure.RetrySpread;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Status;
import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Applies what the journal has made durable, in order, on one thread. */
public final class LogicStage implements Duty {
    private static final int BATCH = 64;
    private static final long SLICE_NANOS = 500_000;
    private static final long LOG_FULL_RETRY_NANOS = 500_000_000;

    private final Host host;
    private final FramePoller poller;
    private final Logic logic;
    private final OwnEntries own;
    private final FrameHandler onFrame = this::onFrame;
    private final Sequence processed = new Sequence();
    private final Sequence appliedSequence;
    private final Consumer<Logic> betweenEntries;
    private final RetrySpread spread = new RetrySpread(0x2545_F491_4F6C_DD1DL);
    private final Sequence unlogged;
    private final BooleanSupplier logFull;
    private final long replayed;
    private final long recoveryNanos;
    private long fromGateway;

    /**
     * Creates the stage.
     *
     * @param host           tells how long it has worked
     * @param poller        takes from the input ring, behind the journal
     * @param logic         that all of the log was applied to
     * @param own           is told what the service has to write into its log
     * @param unlogged       how many requests the log had no room for
     * @param logFull        whether it has none at present
     * @param betweenEntries called now and then between two entries
     * @param replayed      how many entries were applied at the start
     * @param recoveryNanos how long that took
     */
    public LogicStage(
            Host host,
            FramePoller poller,
            Logic logic,
            OwnEntries own,
            Sequence unlogged,
            BooleanSupplier logFull,
            Consumer<Logic> betweenEntries,
            long replayed,
            long recoveryNanos) {
        this.host = host;
        this.poller = poller;
        this.logic = logic;
        this.own = own;
        this.unlogged = unlogged;
        this.logFull = logFull;
        this.betweenEntries = betweenEntries;
        this.appliedSequence = new Sequence(logic.lastSequence());
        this.replayed = replayed;
        this.recoveryNanos = recoveryNanos;
        own.startBehind(logic);
    }

    /** Returns the sequence of the last log entry that was applied. */
    public Sequence appliedSequence() {
        return appliedSequence;
    }

    /** Returns how many messages of the gateway were processed. */
    public Sequence processed() {
        return processed;
    }

    /** Applies all that is durable, but for no longer than a gateway on the same thread can well be kept waiting. */
    @Override
    public int work() {
        long startNanos = host.nanoTime();
        logic.pulse().here();
        int count = 0;
        int batch = host.strikes(FaultPoint.SHORT_ROUND) ? 1 : BATCH;
        int polled;
        do {
            polled = poller.poll(onFrame, batch);
            count += polled;
        } while (polled == BATCH && host.nanoTime() - startNanos < SLICE_NANOS);
        logic.pulse().rest();
        if (processed.getPlain() != fromGateway) {
            processed.setRelease(fromGateway);
        }
        if (count > 0) {
            appliedSequence.setRelease(logic.lastSequence());
            own.after(logic);
        }
        betweenEntries.accept(logic);
        return count;
    }

    private void onFrame(MemorySegment memory, long offset, int length, boolean endOfBatch) {
        short type = Message.type(memory, offset);
        if (type == MessageType.STATUS) {
            status(memory, offset);
        } else if (MessageType.isLogged(type) && Message.sequence(memory, offset) == Message.UNLOGGED) {
            refuse(memory, offset, type);
        } else {
            logic.apply(memory, offset);
        }
        if (!MessageType.isOwn(type)) {
            fromGateway++;
        }
    }

    private void refuse(MemorySegment memory, long offset, short type) {
        if (MessageType.isOwn(type)) {
            own.unlogged(type);
        } else {
            logic.refuse(memory, offset, spread.next(LOG_FULL_RETRY_NANOS));
        }
    }

    private void status(MemorySegment memory, long offset) {
        logic.answer(
                memory,
                offset,
                () -> new Status(
                        logic.lastSequence(),
                        logic.stateHash(),
                        logic.sessionCount(),
                        replayed,
                        recoveryNanos,
                        unlogged.getAcquire(),
                        logFull.getAsBoolean()));
    }
}
