package io.slipstream.service.snapshot;

import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.core.thread.Worker;
import io.slipstream.journal.Journal;
import io.slipstream.journal.SnapshotReader;
import io.slipstream.journal.SnapshotWriter;
import io.slipstream.service.host.FaultPoint;
import io.slipstream.service.host.Host;
import io.slipstream.service.logic.Logic;
import io.slipstream.service.logic.LogicLimits;
import io.slipstream.service.machine.StateMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes snapshots while the service runs, on a thread of its own.
 *
 * <p>Where the service can make a second instance of its state machine, that instance loads the last snapshot, applies
 * the log up to now, and is saved: no command waits for it. It also is a second opinion: the hashes of the state that
 * the log has are compared with its own. Otherwise the one instance is saved on the logic's own thread, between two
 * commands, and all commands wait for that.
 */
public final class Snapshotter implements AutoCloseable {
    private static final long LOOK_NANOS = 50_000_000;
    private static final String NOT_KEPT =
            ". It is not kept; the snapshots before and the log stay, so a start does not need it";

    /** So much is forced at a time: commits of the journal wait for the device no longer than that takes. */
    private static final int FORCED_BYTES = 8 << 20;

    /**
     * Lets whoever is ready have the processor after each piece of work. A thread that computes is otherwise left alone
     * for milliseconds, for which commands would wait where there are not more processors than busy threads.
     */
    private static final Recovery.Progress GIVING_WAY = new Recovery.Progress() {
        @Override
        public void onLoad(long done, long most) {
            Thread.yield();
        }

        @Override
        public void onReplay(long done, long all) {
            Thread.yield();
        }
    };

    private final Journal journal;
    private final SnapshotPolicy policy;
    private final @Nullable Supplier<? extends StateMachine> secondInstance;
    private final LogicLimits limits;
    private final Sequence appliedSequence;
    private final Sequence writeThrough = new Sequence(0);
    private final Sequence trimBefore = new Sequence();
    private final Sequence trims = new Sequence(0);
    private final Sequence begunCount = new Sequence(0);
    private final Sequence endedCount = new Sequence(0);
    private final Sequence failedCount = new Sequence(0);
    private volatile @Nullable SnapshotReport last;
    private final Listener listener;
    private final Host host;
    private final Signal signal = new Signal();
    private final Host.Task task;
    private volatile @Nullable Request request;
    private boolean closed;
    private long bytesAtLast;
    private long sequenceAtLast;
    private long nanosAtLast;

    /**
     * Creates a snapshotter.
     *
     * @param host            gives time, and a thread
     * @param secondInstance  makes the machine in its initial state; null if there is only the one that runs
     * @param appliedSequence of the last log entry that the running logic has applied
     * @param recovered       what was found at the start: the last snapshot
     */
    public Snapshotter(
            Host host,
            Journal journal,
            SnapshotPolicy policy,
            @Nullable Supplier<? extends StateMachine> secondInstance,
            LogicLimits limits,
            Sequence appliedSequence,
            Recovery recovered,
            Listener listener) {
        this.host = host;
        this.nanosAtLast = host.nanoTime();
        this.journal = journal;
        this.policy = policy;
        journal.snapshots().keep(policy.kept());
        this.secondInstance = secondInstance;
        this.limits = limits;
        this.appliedSequence = appliedSequence;
        this.bytesAtLast = journal.writtenBytes() - journal.bytesFrom(recovered.snapshotSequence() + 1);
        this.sequenceAtLast = recovered.snapshotSequence();
        this.listener = listener;
        this.task = host.task(Worker.builder("slipstream-snapshot", List.of(this::work))
                .waitStrategy(WaitStrategy.parking().sleepingAtMost(LOOK_NANOS))
                .signal(signal));
    }

    /** Begins to look whether a snapshot is due. */
    public void start() {
        task.start();
    }

    /**
     * Asks for a snapshot of what is applied by now; any thread may. While one is being taken, the answer is that one.
     *
     * @return completes when it is durable, exceptionally with why there is none
     */
    public synchronized CompletableFuture<SnapshotReport> request() {
        Request present = request;
        if (present == null) {
            present = new Request(new CompletableFuture<>());
            if (closed) {
                present.done.completeExceptionally(new IllegalStateException("the service is closed"));
            } else {
                request = present;
                signal.wake();
            }
        }
        return present.done.copy();
    }

    /** Returns how many snapshots were begun. */
    public Sequence begun() {
        return begunCount;
    }

    /** Returns how many have ended, with a snapshot or without one. */
    public Sequence ended() {
        return endedCount;
    }

    /** Returns how many have ended without a snapshot. */
    public Sequence failed() {
        return failedCount;
    }

    /** Returns what came of the last snapshot that was taken since the start; null before that. */
    public @Nullable SnapshotReport last() {
        return last;
    }

    /**
     * Returns up to which record a snapshot needs the log to be written, so that it is not ahead of it; for the
     * journal's owner.
     */
    public Sequence writeThrough() {
        return writeThrough;
    }

    /** Returns before which record the log may be trimmed; for the journal's owner. */
    public Sequence trimBefore() {
        return trimBefore;
    }

    /**
     * Returns how often it may have been trimmed: with each snapshot there may be more to remove, although the bound is
     * the same. It grows behind the bound.
     */
    public Sequence trims() {
        return trims;
    }

    /**
     * Saves the logic, if that was asked for and there is no second instance; for the thread of the logic, between two
     * entries.
     */
    public void saveBetweenEntries(Logic logic) {
        Request present = request;
        if (secondInstance != null || present == null || present.saved || host.strikes(FaultPoint.LATE_SAVE)) {
            return;
        }
        long begun = host.nanoTime();
        try {
            SnapshotWriter writer = journal.snapshots().begin(logic.lastSequence());
            present.writer = writer;
            present.sequence = logic.lastSequence();
            present.bytes = save(logic, writer::append);
        } catch (IOException | RuntimeException e) {
            present.failure = e;
        }
        present.pauseNanos = host.nanoTime() - begun;
        present.saved = true;
        signal.wake();
    }

    @Override
    public void close() {
        markClosed();
        task.close();
        Request left = request;
        if (left != null) {
            left.done.completeExceptionally(
                    new IllegalStateException("the service was closed before the snapshot was taken"));
        }
    }

    /** Who asks either sees this, or has asked before, and is told. */
    private synchronized void markClosed() {
        closed = true;
    }

    private int work() {
        if (request == null && isDue()) {
            request();
        }
        Request present = request;
        if (present == null || (secondInstance == null && !present.saved) || !isWritten(present)) {
            return 0;
        }
        take(present);
        return 1;
    }

    /** At the level NONE, what was applied may be in memory alone: the owner of the journal is asked to write it. */
    private boolean isWritten(Request present) {
        if (secondInstance != null && present.sequence == 0) {
            present.sequence = appliedSequence.getAcquire();
        }
        if (present.sequence <= journal.writtenSequence()) {
            return true;
        }
        writeThrough.setRelease(present.sequence);
        return false;
    }

    private boolean isDue() {
        if (appliedSequence.getAcquire() == sequenceAtLast) {
            return false;
        }
        return host.strikes(FaultPoint.EARLY_SNAPSHOT)
                || (policy.logBytes() > 0 && journal.writtenBytes() - bytesAtLast >= policy.logBytes())
                || (policy.interval().isPositive()
                        && host.nanoTime() - nanosAtLast >= policy.interval().toNanos());
    }

    private void take(Request present) {
        Flight flight = Flight.begin();
        begunCount.setRelease(begunCount.getPlain() + 1);
        long begun = host.nanoTime();
        long bytes = journal.writtenBytes();
        try {
            if (secondInstance != null) {
                long hash = saveSecond(secondInstance.get(), present);
                if (policy.checked()) {
                    requireLoads(secondInstance.get(), present, hash);
                }
            }
            present.commit();
            bytesAtLast = bytes;
            sequenceAtLast = present.sequence;
            nanosAtLast = host.nanoTime();
            allowTrim();
            SnapshotReport report = new SnapshotReport(
                    present.sequence,
                    present.bytes,
                    Duration.ofNanos(host.nanoTime() - begun + present.pauseNanos),
                    Duration.ofNanos(present.pauseNanos));
            end();
            last = report;
            endedCount.setRelease(endedCount.getPlain() + 1);
            flight.end(report);
            listener.onSnapshot(report);
            present.done.complete(report);
        } catch (Exception | Error e) {
            present.giveUp(e);
            nanosAtLast = host.nanoTime();
            bytesAtLast = bytes;
            end();
            failedCount.setRelease(failedCount.getPlain() + 1);
            endedCount.setRelease(endedCount.getPlain() + 1);
            flight.end(e);
            listener.onFailure(e);
            present.done.completeExceptionally(e);
        }
    }

    /** From now on another one may be asked for. */
    private synchronized void end() {
        request = null;
    }

    /** Brings a new machine to where the log is, saves and closes it; returns the hash of its state. */
    private long saveSecond(StateMachine machine, Request present) throws IOException {
        try (FrameRing nowhere = new FrameRing(1 << 12)) {
            Logic second = new Logic(machine, limits, nowhere, () -> {});
            new Recovery(journal, GIVING_WAY).recover(second, present.sequence);
            SnapshotWriter writer = journal.snapshots().begin(present.sequence);
            present.writer = writer;
            present.bytes = save(second, new GivingWay(writer));
            return second.stateHash();
        } finally {
            machine.close();
        }
    }

    /** Loads what was written into a new machine, requires it to come to the state that was saved, and closes it. */
    private void requireLoads(StateMachine machine, Request present, long hash) throws IOException {
        SnapshotWriter writer = Objects.requireNonNull(present.writer);
        try (FrameRing nowhere = new FrameRing(1 << 12);
                SnapshotReader reader = writer.reader()) {
            Logic loaded = new Logic(machine, limits, nowhere, () -> {});
            try {
                Recovery.load(loaded, reader, present.sequence, present.bytes, GIVING_WAY);
            } catch (IOException | RuntimeException e) {
                throw new IOException(
                        "the snapshot of entry " + present.sequence + " cannot be loaded again: " + e.getMessage()
                                + NOT_KEPT,
                        e);
            }
            if (loaded.stateHash() != hash) {
                throw new IOException("the snapshot of entry " + present.sequence
                        + " was loaded again, and led to a state with the hash "
                        + Long.toHexString(loaded.stateHash()) + "; the one that was saved has "
                        + Long.toHexString(hash) + ": what 'load' of '" + machine.name()
                        + "' reads is not what 'save' has written" + NOT_KEPT);
            }
        } finally {
            machine.close();
        }
    }

    private static long save(Logic logic, ChunkedOutput.Sink sink) throws IOException {
        try {
            ChunkedOutput output = new ChunkedOutput(sink);
            logic.save(output);
            output.finish();
            return output.written();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void allowTrim() throws IOException {
        Duration keep = policy.keepLog();
        if (keep != null) {
            Instant now = Instant.ofEpochSecond(0, host.epochNanos());
            long before = keep.isZero() ? Long.MAX_VALUE : journal.sequenceAt(now.minus(keep));
            trimBefore.setRelease(before);
            trims.setRelease(trims.getPlain() + 1);
        }
    }

    /** Hears of snapshots, on their thread. */
    public interface Listener {
        /** A snapshot is durable. */
        void onSnapshot(SnapshotReport report);

        /** There is no snapshot, for that reason; those before are untouched. */
        void onFailure(Throwable reason);
    }

    /** Writes a snapshot beside commands that want the processor and the device. */
    private static final class GivingWay implements ChunkedOutput.Sink {
        private final SnapshotWriter writer;
        private int unforced;

        GivingWay(SnapshotWriter writer) {
            this.writer = writer;
        }

        @Override
        public void append(MemorySegment memory, long offset, int bytes) throws IOException {
            writer.append(memory, offset, bytes);
            unforced += bytes;
            if (unforced >= FORCED_BYTES) {
                writer.force();
                unforced = 0;
            }
            Thread.yield();
        }
    }

    /** A snapshot that was asked for. What the logic's thread has written is read once {@code saved} is seen. */
    private static final class Request {
        private final CompletableFuture<SnapshotReport> done;
        private @Nullable SnapshotWriter writer;
        private @Nullable Exception failure;
        private long sequence;
        private long bytes;
        private long pauseNanos;
        private volatile boolean saved;

        Request(CompletableFuture<SnapshotReport> done) {
            this.done = done;
        }

        /** Leaves nothing behind of what was written, if it was not committed. */
        void giveUp(Throwable why) {
            if (writer != null) {
                try {
                    writer.close();
                } catch (IOException | RuntimeException | Error e) {
                    if (e != why) {
                        why.addSuppressed(e);
                    }
                }
            }
        }

        void commit() throws Exception {
            try (SnapshotWriter open = writer) {
                if (failure != null) {
                    throw failure;
                }
                if (open != null) {
                    open.commit();
                }
            }
        }
    }
}
