package io.slipstream.service.log;

import io.slipstream.core.counters.FlightCounters;
import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.SmartBatcher;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.Duty;
import io.slipstream.core.thread.Signal;
import io.slipstream.journal.Journal;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFailedException;
import io.slipstream.journal.errors.JournalFullException;
import io.slipstream.service.host.FaultPoint;
import io.slipstream.service.host.Host;
import io.slipstream.service.pressure.CommandTimes;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.spi.LogGate;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Makes whatever has arrived durable as one batch, then lets the logic have it.
 *
 * <p>It stamps each entry with the time, which never goes back, and leaves out of the journal what changes nothing.
 * While the device is full, it marks the entries as {@link Message#UNLOGGED}. Four times a second it tries whether
 * there is room again, also if no entries come: whoever asks {@link #isFull} first would send none.
 *
 * <p>A journal that cannot be trimmed keeps more than it must and is sound. So the stage reports why, goes on, and
 * tries again once a second. Only a journal that has failed ends the service, and does so also if no entries come.
 */
public final class JournalStage implements Duty, SmartBatcher.Sink<IOException> {
    private static final int MAX_BATCH_BYTES = 1 << 20;
    private static final long PAUSE_NANOS = 250_000_000;
    private static final long TRIM_PAUSE_NANOS = 1_000_000_000;

    private final SmartBatcher<IOException> batcher;
    private final Journal journal;
    private @Nullable Signal logicSignal;
    private final Host host;
    private Sequence writeThrough = new Sequence(0);
    private Sequence trimBefore = new Sequence();
    private Sequence trims = new Sequence(0);
    private long trimmed;
    private final Sequence unlogged = new Sequence(0);
    private final Sequence commits = new Sequence(0);
    private final Sequence commitNanos = new Sequence(0);
    private final Sequence longestCommitNanos = new Sequence(0);
    private final CommitTimes commitTimes = new CommitTimes();

    /** Null in a process without the Flight Recorder. */
    private final @Nullable BatchFlight flight = FlightCounters.isAvailable() ? new BatchFlight() : null;

    private final Listener listener;

    /** Why there is no room at present, or null. */
    private volatile @Nullable JournalFullException full;

    /** Why the last trim has failed, or null if it has not. */
    private @Nullable String untrimmed;

    private long nextAttemptNanos;
    private long nextTrimNanos;
    private long nextProbeNanos;
    private long unloggedBefore;
    private int refusedBytes;
    private long missingBytes;
    private long lastTimeNanos;
    private boolean uncommitted;

    /* Bytes at the front of the ring that are in the journal, and wait for the gate up to that sequence. */
    private int heldBytes;
    private long heldSequence;
    private @Nullable LogGate gate;
    private @Nullable Pace pace;

    /**
     * Creates the stage.
     *
     * @param poller        takes from {@code ring}, ahead of the logic
     * @param host          tells the time, which entries are stamped with as far as it does not go back
     * @param lastTimeNanos the time of the last entry of the journal
     * @param listener      hears when there is no room, and when the journal cannot be trimmed
     */
    public JournalStage(
            FrameRing ring, FramePoller poller, Journal journal, Host host, long lastTimeNanos, Listener listener) {
        this.batcher = new SmartBatcher<>(ring, poller, Math.min(MAX_BATCH_BYTES, journal.maxAppendBytes()), this);
        this.journal = journal;
        this.host = host;
        this.lastTimeNanos = lastTimeNanos;
        this.listener = listener;
    }

    @Override
    public int work() throws IOException {
        if (full != null) {
            probe();
        }
        int taken = batcher.work();
        if (taken > 0) {
            Signal signal = logicSignal;
            if (signal != null) {
                signal.wake();
            }
            if (full != null) {
                trim();
            }
        } else {
            if (gate != null) {
                gate.requireOpen();
            }
            // At the level NONE little else hands the entries to the system. And a journal that has failed on another
            // thread, or whose lock is gone, ends the service here: it must not look alive until the next command.
            journal.flush();
            trim();
        }
        if (writeThrough.getAcquire() > journal.writtenSequence()) {
            journal.flush();
        }
        return taken;
    }

    @Override
    public int onBatch(MemorySegment memory, long offset, int arrived) throws IOException {
        if (heldBytes > 0) {
            return releaseHeld();
        }
        int bytes = append(
                memory,
                offset,
                host.strikes(FaultPoint.SHORT_BATCH) ? Frame.align(Frame.length(memory, offset)) : arrived);
        if (uncommitted) {
            commit(bytes);
            uncommitted = false;
            if (gate != null) {
                gate.committed();
                heldSequence = journal.nextSequence() - 1;
                heldBytes = bytes;
                return releaseHeld();
            }
        }
        return bytes;
    }

    private void commit(int bytes) throws IOException {
        BatchFlight present = flight;
        if (present != null) {
            present.begin();
        }
        long begunNanos = host.nanoTime();
        journal.commit();
        committed(host.nanoTime() - begunNanos);
        if (present != null) {
            present.end(journal.nextSequence() - 1, bytes);
        }
    }

    private void committed(long nanos) {
        commitTimes.add(nanos);
        commits.setRelease(commits.getPlain() + 1);
        commitNanos.setRelease(commitNanos.getPlain() + nanos);
        if (nanos > longestCommitNanos.getPlain()) {
            longestCommitNanos.setRelease(nanos);
        }
    }

    /** Returns how many batches were written and, at the level SYNC, forced. */
    public Sequence commits() {
        return commits;
    }

    /** Returns how long all of that took in nanoseconds. */
    public Sequence commitNanos() {
        return commitNanos;
    }

    /** Returns how long the longest of them took in nanoseconds. */
    public Sequence longestCommitNanos() {
        return longestCommitNanos;
    }

    /** Returns how many of them took how long. */
    public CommitTimes commitTimes() {
        return commitTimes;
    }

    /** Returns the bytes that were held, once the gate lets them pass, and 0 before that. */
    private int releaseHeld() throws IOException {
        LogGate present = gate;
        if (present != null && !present.passes(heldSequence)) {
            return 0;
        }
        int released = heldBytes;
        heldBytes = 0;
        return released;
    }

    /**
     * Appends the entries of a run that may go on by now, side by side ones together. It walks over the headers once,
     * for all that this stage has to know of them or to write there.
     *
     * @return how many bytes of the run go on
     */
    private int append(MemorySegment memory, long start, int arrived) throws IOException {
        Pace present = pace;
        if (present != null) {
            present.look(host.nanoTime());
        }
        long timeNanos = now();
        long end = start + arrived;
        long from = start;
        long at = start;
        while (at < end) {
            int length = Frame.length(memory, at);
            if (present != null && !present.admit(memory, at, length)) {
                break;
            }
            int aligned = Frame.align(length);
            if (MessageType.isLogged(Message.type(memory, at)) && Message.sequence(memory, at) != Message.LATE) {
                Message.timeNanos(memory, at, timeNanos);
            } else {
                appendRun(memory, from, at);
                from = at + aligned;
            }
            at += aligned;
        }
        appendRun(memory, from, at);
        return (int) (at - start);
    }

    /** What the log has no room for is marked, and the logic refuses it. */
    private void appendRun(MemorySegment memory, long from, long to) throws IOException {
        if (to == from) {
            return;
        }
        JournalFullException before = full;
        if (before != null && host.nanoTime() - nextAttemptNanos < 0) {
            mark(memory, from, to, before);
            return;
        }
        if (tryAppend(memory, from, to) == null) {
            regained(to - from);
        } else {
            appendOneByOne(memory, from, to);
        }
    }

    /**
     * After the first one that finds no room, only those are tried that are short: sessions that come and go, timers.
     */
    private void appendOneByOne(MemorySegment memory, long from, long to) throws IOException {
        JournalFullException refusal = null;
        boolean shortOnesFit = true;
        for (long at = from; at < to; ) {
            long next = at + Frame.align(Frame.length(memory, at));
            boolean isCommand = Message.type(memory, at) == MessageType.COMMAND;
            if (refusal == null) {
                refusal = tryAppend(memory, at, next);
                if (refusal == null) {
                    regained(next - at);
                } else {
                    full(refusal, (int) (next - at));
                    mark(memory, at, next, refusal);
                }
            } else if (isCommand || !shortOnesFit || tryAppend(memory, at, next) != null) {
                shortOnesFit &= isCommand;
                mark(memory, at, next, refusal);
            }
            at = next;
        }
    }

    private @Nullable JournalFullException tryAppend(MemorySegment memory, long from, long to) throws IOException {
        try {
            journal.append(memory, from, (int) (to - from));
            uncommitted = true;
            return null;
        } catch (JournalFullException e) {
            return e;
        }
    }

    private void mark(MemorySegment memory, long from, long to, JournalFullException reason)
            throws JournalFullException {
        long count = 0;
        for (long at = from; at < to; at += Frame.align(Frame.length(memory, at))) {
            short type = Message.type(memory, at);
            if (type == MessageType.START) {
                throw new JournalFullException("the service cannot begin: " + reason.getMessage(), reason);
            }
            Message.sequence(memory, at, Message.UNLOGGED);
            count += MessageType.isOwn(type) ? 0 : 1;
        }
        unlogged.setRelease(unlogged.getPlain() + count);
    }

    private void full(JournalFullException why, int bytes) {
        nextAttemptNanos = host.nanoTime() + PAUSE_NANOS;
        nextProbeNanos = nextAttemptNanos;
        refusedBytes = bytes;
        missingBytes = bytes;
        boolean first = full == null;
        full = why;
        if (first) {
            unloggedBefore = unlogged.getPlain();
            listener.onLogFull(why);
        }
    }

    /**
     * What is short may find room where the entry that was refused does not: only as many bytes as that show that there
     * is.
     */
    private void regained(long bytes) {
        if (full != null && (missingBytes -= bytes) <= 0) {
            hasRoom();
        }
    }

    private void hasRoom() {
        full = null;
        listener.onLogHasRoom(unlogged.getPlain() - unloggedBefore);
    }

    /** Tries whether there is room for the entry that was refused last. */
    private void probe() throws IOException {
        if (host.nanoTime() - nextProbeNanos < 0) {
            return;
        }
        if (journal.hasRoomFor(refusedBytes)) {
            hasRoom();
        } else {
            nextProbeNanos = host.nanoTime() + PAUSE_NANOS;
        }
    }

    /** Returns how many requests the log had no room for. */
    public Sequence unlogged() {
        return unlogged;
    }

    /** Returns whether the log has no room at present; any thread may ask. */
    public boolean isFull() {
        return full != null;
    }

    /**
     * Hears when there is no room for the log, or it cannot be trimmed, and when that is over; on the thread of the
     * stage.
     */
    public interface Listener {
        /** The device is full; until there is room again, whatever must be logged is refused. */
        void onLogFull(JournalFullException reason);

        /** There is room again; {@code refused} requests found none meanwhile. */
        void onLogHasRoom(long refused);

        /** The log cannot be trimmed and keeps what it has; called again when there is another reason. */
        void onTrimFailed(JournalException reason);

        /** It was trimmed after all. */
        void onTrimmedAgain();
    }

    /** Sets whom to wake when a batch is durable; before the thread starts. */
    public void wakes(Signal signal) {
        logicSignal = signal;
    }

    /** Holds batches back until {@code newGate} lets them pass; before the thread starts. */
    public void gate(@Nullable LogGate newGate) {
        gate = newGate;
    }

    /**
     * Lets what the state machine cannot do in time wait here, and refuses it in the end; before the thread starts.
     *
     * @param times         tells how long commands take
     * @param processed     how many messages of the gateway were processed
     * @param responseNanos how long an accepted command may wait
     */
    public void pace(CommandTimes times, Sequence processed, long responseNanos) {
        pace = new Pace(host, times, processed, responseNanos, host.nanoTime());
    }

    /** Returns how many bytes were written to the journal since the start, with what fills up blocks. */
    public long writtenBytes() {
        return journal.writtenBytes();
    }

    /** Has the journal written through that record whenever {@code through} has grown; before the thread starts. */
    public void writeThrough(Sequence through) {
        writeThrough = through;
    }

    /**
     * Lets the journal be trimmed before the record that {@code bound} says, whenever {@code requests} has grown and
     * there is nothing else to do; before the thread starts.
     */
    public void trimBefore(Sequence bound, Sequence requests) {
        trimBefore = bound;
        trims = requests;
        trimmed = requests.getAcquire();
    }

    private void trim() throws IOException {
        long asked = trims.getAcquire();
        if (asked == trimmed
                || (untrimmed != null && host.nanoTime() - nextTrimNanos < 0)
                || host.strikes(FaultPoint.LATE_TRIM)) {
            return;
        }
        try {
            journal.trim(trimBefore.getAcquire());
        } catch (JournalFailedException e) {
            throw e;
        } catch (JournalException e) {
            notTrimmed(e);
            return;
        }
        trimmed = asked;
        if (untrimmed != null) {
            untrimmed = null;
            listener.onTrimmedAgain();
        }
    }

    private void notTrimmed(JournalException why) {
        nextTrimNanos = host.nanoTime() + TRIM_PAUSE_NANOS;
        String reason = String.valueOf(why.getMessage());
        if (!reason.equals(untrimmed)) {
            untrimmed = reason;
            listener.onTrimFailed(why);
        }
    }

    private long now() {
        lastTimeNanos = Math.max(lastTimeNanos, host.epochNanos());
        return lastTimeNanos;
    }
}
