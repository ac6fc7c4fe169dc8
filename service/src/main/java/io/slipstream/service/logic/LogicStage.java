package io.slipstream.service.logic;

import io.slipstream.core.frame.FrameHandler;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.Duty;
import io.slipstream.core.thread.Signal;
import io.slipstream.service.host.FaultPoint;
import io.slipstream.service.host.Host;
import io.slipstream.service.machine.Prefetching;
import io.slipstream.service.machine.Timed;
import io.slipstream.service.pressure.CommandTimes;
import io.slipstream.service.pressure.RetrySpread;
import io.slipstream.service.protocol.Busy;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Status;
import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Applies what the journal has made durable, in order, on one thread. */
public final class LogicStage implements Duty {
    private static final int BATCH = Prefetching.MOST;

    /* So many of a kind are measured together. */
    private static final int RUN = 4;
    private static final long SLICE_NANOS = 500_000;
    private static final long SLOW_NANOS = SLICE_NANOS / BATCH;
    private static final long LONGEST_RETRY_NANOS = 500_000_000;
    private static final long LOG_FULL_RETRY_NANOS = 500_000_000;

    private final Host host;
    private final FramePoller poller;
    private final Logic logic;
    private final OwnEntries own;
    private final FrameHandler onFrame = this::onFrame;
    private final FrameHandler onNext;
    private final Sequence processed = new Sequence();
    private final Sequence appliedSequence;
    private final Consumer<Logic> betweenEntries;
    private final RetrySpread spread = new RetrySpread(0x2545_F491_4F6C_DD1DL);
    private final Sequence unlogged;
    private final BooleanSupplier logFull;
    private final long replayed;
    private final long recoveryNanos;
    private final CommandTimes times;
    private final @Nullable Timed timed;
    private @Nullable Signal journalSignal;
    private long fromGateway;
    private int runPlace;
    private int runLength;
    private long runBeganNanos;
    private long lastNanos;
    private long lateNanos;

    /**
     * Creates the stage.
     *
     * @param host           tells how long it has worked
     * @param poller        takes from the input ring, behind the journal
     * @param logic         that all of the log was applied to
     * @param times          is told how long commands take
     * @param timed          is told how long each one took, right behind it; null if nobody wants to know
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
            CommandTimes times,
            @Nullable Timed timed,
            OwnEntries own,
            Sequence unlogged,
            BooleanSupplier logFull,
            Consumer<Logic> betweenEntries,
            long replayed,
            long recoveryNanos) {
        this.host = host;
        this.poller = poller;
        this.logic = logic;
        this.onNext = (memory, offset, length, _) -> logic.expect(memory, offset, length);
        this.times = times;
        this.timed = timed;
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

    /** Sets whom to wake when something was applied, since it may wait for that; before the thread starts. */
    public void wakes(Signal signal) {
        journalSignal = signal;
    }

    /** Applies all that is durable, but for no longer than a gateway on the same thread can well be kept waiting. */
    @Override
    public int work() {
        long startNanos = host.nanoTime();
        logic.pulse().here();
        runBeganNanos = startNanos;
        int count = 0;
        boolean isShort = host.strikes(FaultPoint.SHORT_ROUND);
        // Slow ones one by one, so that the time is looked at behind each.
        int batch = isShort || lastNanos > SLOW_NANOS ? 1 : BATCH;
        int polled;
        do {
            lookAhead(batch);
            polled = poller.poll(onFrame, batch);
            count += polled;
        } while (polled == batch && !isShort && host.nanoTime() - startNanos < SLICE_NANOS);
        logic.pulse().rest();
        endRun();
        times.busySince(0);
        if (count > 0) {
            appliedSequence.setRelease(logic.lastSequence());
            own.after(logic);
            Signal waiting = journalSignal;
            if (waiting != null) {
                waiting.wake();
            }
        }
        betweenEntries.accept(logic);
        return count;
    }

    private void lookAhead(int batch) {
        if (logic.looksAhead()) {
            poller.peek(onNext, batch);
            logic.prefetch();
        }
    }

    private void onFrame(MemorySegment memory, long offset, int length, boolean endOfBatch) {
        short type = Message.type(memory, offset);
        long sequence = Message.sequence(memory, offset);
        if (sequence == Message.LATE && MessageType.isRequest(type)) {
            endRun();
            late(memory, offset, length);
        } else if (MessageType.isLogged(type) && sequence == Message.UNLOGGED) {
            refuse(memory, offset, type);
        } else {
            beginInRun(times.place(memory, offset, length));
            if (type == MessageType.STATUS) {
                status(memory, offset);
            } else {
                logic.apply(memory, offset);
                tellTime(type, memory, offset, length);
            }
        }
        if (!MessageType.isOwn(type)) {
            // One by one: whoever admits must see what a slow command holds up.
            processed.setRelease(++fromGateway);
        }
    }

    /** A message begins; those of a kind that follow each other are measured together. */
    private void beginInRun(int place) {
        if (runLength == RUN || place != runPlace || lastNanos > SLOW_NANOS) {
            endRun();
        }
        if (runLength++ == 0) {
            runPlace = place;
            times.busySince(runBeganNanos);
        }
    }

    /** Who is told the time of each one has none measured together with others. */
    private void tellTime(short type, MemorySegment memory, long offset, int length) {
        Timed to = timed;
        if (to != null && (type == MessageType.COMMAND || type == MessageType.QUERY)) {
            endRun();
            to.took(
                    Message.session(memory, offset),
                    memory,
                    offset + Message.HEADER_BYTES,
                    length - Message.HEADER_BYTES,
                    lastNanos);
        }
    }

    private void endRun() {
        if (runLength == 0) {
            return;
        }
        long now = host.nanoTime();
        lastNanos = (now - runBeganNanos) / runLength;
        lateNanos = 0;
        times.record(runPlace, lastNanos);
        runBeganNanos = now;
        runLength = 0;
    }

    /** Of those that are refused one behind the other each comes back when those before it can be done. */
    private void late(MemorySegment memory, long offset, int length) {
        lateNanos = Math.min(
                lateNanos + Math.max(1_000, times.nanos(times.place(memory, offset, length))), LONGEST_RETRY_NANOS);
        logic.refuse(memory, offset, Busy.Reason.PENDING, spread.next(lateNanos));
    }

    private void refuse(MemorySegment memory, long offset, short type) {
        if (MessageType.isOwn(type)) {
            own.unlogged(type);
        } else {
            logic.refuse(memory, offset, Busy.Reason.LOG_FULL, spread.next(LOG_FULL_RETRY_NANOS));
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
