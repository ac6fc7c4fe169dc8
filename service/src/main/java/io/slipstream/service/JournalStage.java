package io.slipstream.service;

import io.slipstream.core.ring.Frame;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.thread.Duty;
import io.slipstream.core.thread.Signal;
import io.slipstream.journal.Journal;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Makes whatever has arrived durable as one batch, then lets the logic have it.
 *
 * <p>It stamps each entry with the time, which never goes back, and leaves out of the journal what changes nothing.
 */
final class JournalStage implements Duty {
    private static final int BATCH_BYTES = 1 << 20;

    private final FramePoller poller;
    private final FrameRing ring;
    private final Journal journal;
    private final Signal logicSignal;
    private long lastTimeNanos;

    JournalStage(FrameRing ring, FramePoller poller, Journal journal, Signal logicSignal, long lastTimeNanos) {
        this.ring = ring;
        this.poller = poller;
        this.journal = journal;
        this.logicSignal = logicSignal;
        this.lastTimeNanos = lastTimeNanos;
    }

    @Override
    public int work() throws IOException {
        int bytes = poller.peekRun(BATCH_BYTES);
        if (bytes == 0) {
            return 0;
        }
        if (append(ring.memory(), poller.runOffset(), bytes)) {
            journal.commit();
        }
        poller.release(bytes);
        logicSignal.wake();
        return bytes;
    }

    /** Appends the entries among the frames of a run, side by side ones together; returns whether there were any. */
    private boolean append(MemorySegment memory, long start, int bytes) throws IOException {
        long timeNanos = now();
        boolean appended = false;
        long end = start + bytes;
        long from = start;
        for (long at = start; at < end; ) {
            int aligned = Frame.align(Frame.length(memory, at));
            if (isLogged(Message.type(memory, at))) {
                Message.timeNanos(memory, at, timeNanos);
                appended = true;
            } else {
                appendRun(memory, from, at);
                from = at + aligned;
            }
            at += aligned;
        }
        appendRun(memory, from, end);
        return appended;
    }

    private void appendRun(MemorySegment memory, long from, long to) throws IOException {
        if (to > from) {
            journal.append(memory, from, (int) (to - from));
        }
    }

    private long now() {
        lastTimeNanos = Math.max(lastTimeNanos, System.currentTimeMillis() * 1_000_000);
        return lastTimeNanos;
    }

    private static boolean isLogged(short type) {
        return type != MessageType.QUERY && type != MessageType.STATUS;
    }
}
