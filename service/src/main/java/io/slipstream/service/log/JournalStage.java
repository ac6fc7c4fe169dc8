package io.slipstream.service.log;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.ring.SmartBatcher;
import io.slipstream.core.thread.Duty;
import io.slipstream.core.thread.Signal;
import io.slipstream.journal.Journal;
import io.slipstream.journal.errors.JournalFullException;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;

/**
 * Makes whatever has arrived durable as one batch, then lets the logic have it.
 *
 * <p>It stamps each entry with the time, which never goes back, and leaves out of the journal what changes nothing.
 */
public final class JournalStage implements Duty, SmartBatcher.Sink<IOException> {
    private static final int MAX_BATCH_BYTES = 1 << 20;

    private final SmartBatcher<IOException> batcher;
    private final Journal journal;
    private @Nullable Signal logicSignal;
    private final LongSupplier clockNanos;
    private final Sequence loggedBytes = new Sequence();
    private Sequence trimBefore = new Sequence();
    private long trimmedBefore;
    private long lastTimeNanos;
    private boolean uncommitted;
    private boolean unflushed;

    /**
     * Creates the stage.
     *
     * @param poller        takes from {@code ring}, ahead of the logic
     * @param clockNanos    the time since 1970, which entries are stamped with as far as it does not go back
     * @param lastTimeNanos the time of the last entry of the journal
     */
    public JournalStage(FrameRing ring, FramePoller poller, Journal journal, LongSupplier clockNanos,
                        long lastTimeNanos) {
        this.batcher = new SmartBatcher<>(ring, poller, Math.min(MAX_BATCH_BYTES, journal.maxAppendBytes()), this);
        this.journal = journal;
        this.clockNanos = clockNanos;
        this.lastTimeNanos = lastTimeNanos;
    }

    @Override
    public int work() throws IOException {
        int taken = batcher.work();
        if (taken > 0) {
            Signal signal = logicSignal;
            if (signal != null) {
                signal.wake();
            }
        } else {
            flushWhenIdle();
            trimWhenIdle();
        }
        return taken;
    }

    @Override
    public int onBatch(MemorySegment memory, long offset, int bytes) throws IOException {
        int taken = append(memory, offset, bytes);
        if (uncommitted) {
            journal.commit();
            uncommitted = false;
            unflushed = true;
        }
        return taken;
    }

    /** Appends the entries of a run, side by side ones together; returns how many bytes of the run are dealt with. */
    private int append(MemorySegment memory, long start, int bytes) throws IOException {
        long timeNanos = now();
        long end = start + bytes;
        long from = start;
        for (long at = start; at < end; ) {
            int aligned = Frame.align(Frame.length(memory, at));
            if (MessageType.isLogged(Message.type(memory, at))) {
                Message.timeNanos(memory, at, timeNanos);
            } else {
                if (!appendRun(memory, from, at)) {
                    return (int) (from - start);
                }
                from = at + aligned;
            }
            at += aligned;
        }
        return appendRun(memory, from, end) ? bytes : (int) (from - start);
    }

    /** Returns whether there was room. What finds none stays in the ring, and the gateway refuses what comes behind. */
    private boolean appendRun(MemorySegment memory, long from, long to) throws IOException {
        if (to == from) {
            return true;
        }
        try {
            journal.append(memory, from, (int) (to - from));
            loggedBytes.setRelease(loggedBytes.getPlain() + to - from);
            uncommitted = true;
            return true;
        } catch (JournalFullException e) {
            return false;
        }
    }

    /** Sets whom to wake when a batch is durable; before the thread starts. */
    public void wakes(Signal signal) {
        logicSignal = signal;
    }

    /** Returns how many bytes went into the journal since the start. */
    public Sequence loggedBytes() {
        return loggedBytes;
    }

    /**
     * Lets the journal be trimmed before the record that {@code bound} says, whenever that changes and there is nothing
     * else to do; before the thread starts.
     */
    public void trimBefore(Sequence bound) {
        trimBefore = bound;
    }

    private void trimWhenIdle() throws IOException {
        long bound = trimBefore.getAcquire();
        if (bound != trimmedBefore) {
            trimmedBefore = bound;
            journal.trim(bound);
        }
    }

    /** At the level NONE nothing else hands the entries to the system. */
    private void flushWhenIdle() throws IOException {
        if (unflushed) {
            unflushed = false;
            journal.flush();
        }
    }

    private long now() {
        lastTimeNanos = Math.max(lastTimeNanos, clockNanos.getAsLong());
        return lastTimeNanos;
    }
}
