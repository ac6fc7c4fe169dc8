package io.slipstream.journal.segment;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFullException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Prepares segments before they are needed: creates the file, writes zeros to all of it, and only then gives it its
 * name and makes the name durable. So a full disk is found here and not in the middle of an append. At SYNC the zeros
 * are forced, so that forcing a batch has nothing else to write; below, nobody waits for the device, but for files that
 * are used again, whose old records must not come back, and for the first file of all, so that one that is too short is
 * known to be damaged.
 *
 * <p>It keeps as many ready as it is told to; all but the first only as long as there is room to spare. What is filled
 * with zeros takes its share of the device from the commits. So the first is prepared as the segment before it is used,
 * but {@value #PACE} times as fast, or below SYNC at once; the others while the owner has nothing to do.
 *
 * <p>One thread takes; the preparation runs in {@code executor}.
 */
public final class SegmentSupply implements AutoCloseable {
    /**
     * Of zeros in one write. The page cache may keep what one write has brought in one piece; where the pieces are as
     * large as a megabyte, to force a block of one takes an eighth longer.
     */
    private static final int WRITE_BYTES = 128 << 10;

    /** After so many bytes of zeros it gives way. */
    private static final int STEP_BYTES = 1 << 20;

    private static final long PAUSE_NANOS = 1_000_000;

    private static final int PACE = 2;

    /** At SYNC, zeros are forced after so many bytes, so that no commit waits for all of them. */
    private static final int FORCE_BYTES = 4 << 20;

    /**
     * A reserve is prepared only where there is room for so many segments; what else is on the device must grow, too.
     */
    private static final int ROOM_SEGMENTS = 4;

    private final Storage storage;
    private final Executor executor;
    private final BooleanSupplier help;
    private final int segmentBytes;
    private final WriteMode mode;
    private final boolean force;
    private final int maxSpares;
    private final int wantedReady;
    private final boolean givesWay;
    private final LongSupplier progress;
    private final Consumer<Throwable> poison;
    private final ArrayDeque<Prepared> ready = new ArrayDeque<>();
    private final ArrayDeque<String> spares = new ArrayDeque<>();
    private final Object monitor = new Object();
    private long next;
    private boolean preparing;
    private boolean awaited;
    private long progressWhenTaken;
    private boolean closed;
    private boolean broken;
    private @Nullable IOException failure;

    /** A segment that is ready, and the number that its name has. */
    private record Prepared(long number, StorageFile file) {}

    /**
     * Creates a supply of segments for a journal.
     *
     * @param executor prepares, one task after another
     * @param help     runs what waits in the executor, if nobody else does; returns whether there was something
     * @param progress of the owner: a number that changes as long as it has something to do, at SYNC how many bytes it
     *                 has written; any thread may ask
     * @param poison   is told if a force has failed: a second one proves nothing, so nothing is prepared any more
     */
    public SegmentSupply(
            Storage storage,
            Executor executor,
            BooleanSupplier help,
            JournalConfig config,
            LongSupplier progress,
            Consumer<Throwable> poison) {
        this.storage = storage;
        this.executor = executor;
        this.help = help;
        this.segmentBytes = config.segmentBytes();
        this.mode = config.writeMode();
        this.force = config.durability() == Durability.SYNC;
        this.maxSpares = config.spareSegments();
        this.wantedReady = config.preparedSegments();
        this.givesWay = config.prepareInBackground();
        this.progress = progress;
        this.poison = poison;
    }

    /**
     * Takes the file of a segment that nobody needs any more: keeps it for use as a new one, or removes it. When this
     * returns, the file is durably gone from the journal.
     */
    public void retire(String name) throws IOException {
        String spare = name + FileName.UNFINISHED;
        boolean keep;
        synchronized (monitor) {
            keep = spares.size() < maxSpares;
        }
        if (!keep) {
            storage.delete(name);
            storage.syncDirectory();
            return;
        }
        storage.rename(name, spare);
        // Only then may the file be written again: until the change of its name is durable, a crash can take it back.
        storage.syncDirectory();
        synchronized (monitor) {
            spares.add(spare);
        }
    }

    /** Takes a blank segment that is there already as the next one. */
    public void adopt(long spareNumber) throws IOException {
        StorageFile file = storage.open(FileName.of(spareNumber), mode);
        synchronized (monitor) {
            next = spareNumber + 1;
            ready.add(new Prepared(spareNumber, file));
        }
    }

    /** Begins to prepare segment {@code wanted} and those behind it, unless enough are ready or being prepared. */
    public void request(long wanted) {
        synchronized (monitor) {
            if (preparing || closed || broken || ready.size() >= wantedReady) {
                return;
            }
            next = Math.max(next, wanted);
            preparing = true;
            failure = null;
        }
        try {
            executor.execute(this::prepareAll);
        } catch (RuntimeException | Error e) {
            // No thread, for one; whoever waits for the segment is told.
            endPreparing(new IOException(e));
        }
    }

    /**
     * Waits until segment {@code wanted} is ready; if its preparation has failed before, tries once more.
     *
     * @throws JournalFullException if it cannot be prepared; nothing that the journal holds was touched
     * @throws IOException          if a force has failed, and what the device holds is not known
     */
    public void await(long wanted) throws IOException {
        synchronized (monitor) {
            if (!ready.isEmpty()) {
                return;
            }
            if (!preparing && failure == null) {
                request(wanted);
            }
            waitForFirst();
            if (ready.isEmpty()) {
                request(wanted);
                waitForFirst();
            }
            if (ready.isEmpty()) {
                throw refusal(failure == null ? new IOException("closed") : failure);
            }
        }
    }

    private IOException refusal(IOException cause) {
        return broken
                ? cause
                : new JournalFullException(
                        "no further segment of " + segmentBytes + " bytes in "
                                + storage.description() + ": " + JournalException.reason(cause)
                                + ". Nothing was accepted; " + Denial.remedy(cause) + ", and try again",
                        cause);
    }

    /** Takes the segment that {@link #await} has waited for. */
    public StorageFile take(long wanted) {
        synchronized (monitor) {
            Prepared first = ready.poll();
            if (first == null || first.number != wanted) {
                throw new IllegalStateException("segment " + wanted + " is due, and ready is " + first);
            }
            progressWhenTaken = progress.getAsLong();
            return first.file;
        }
    }

    /**
     * Closes the segments that are ready, once the preparation has ended; their files stay for the next time.
     */
    @Override
    public void close() throws IOException {
        synchronized (monitor) {
            closed = true;
            await(false);
            for (Prepared unused = ready.poll(); unused != null; unused = ready.poll()) {
                unused.file.close();
            }
        }
    }

    private void waitForFirst() {
        await(true);
    }

    /** Waits until nothing is being prepared, or a first one is ready. */
    private void await(boolean firstWillDo) {
        boolean interrupted = false;
        awaited = true;
        while (preparing && !(firstWillDo && !ready.isEmpty())) {
            if (help.getAsBoolean()) {
                continue;
            }
            try {
                monitor.wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        awaited = false;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void prepareAll() {
        while (prepareOne()) {
            // One after another, so that the first one is ready as soon as it can be.
        }
    }

    /** Prepares a segment; returns whether a further one is wanted. One that has failed is the next one again. */
    private boolean prepareOne() {
        long number;
        synchronized (monitor) {
            number = next;
        }
        StorageFile file = null;
        IOException thrown = null;
        try {
            if (isInReserve() && storage.usableBytes() / ROOM_SEGMENTS < segmentBytes) {
                return endPreparing(null);
            }
            file = create(number);
        } catch (IOException e) {
            thrown = e;
        } catch (RuntimeException | Error e) {
            thrown = new IOException(e);
        }
        synchronized (monitor) {
            if (file != null) {
                ready.add(new Prepared(number, file));
                next = number + 1;
            }
            failure = thrown;
            preparing = file != null && ready.size() < wantedReady && !closed;
            monitor.notifyAll();
            return preparing;
        }
    }

    private boolean endPreparing(@Nullable IOException thrown) {
        synchronized (monitor) {
            preparing = false;
            failure = thrown;
            monitor.notifyAll();
            return false;
        }
    }

    private StorageFile create(long number) throws IOException {
        String name = FileName.of(number);
        String unfinished = name + FileName.UNFINISHED;
        try {
            try (StorageFile file = blank(unfinished)) {
                boolean usedBefore = file.size() > 0;
                fill(file);
                if (force || usedBefore || number == 1) {
                    force(file::force);
                }
            }
            storage.rename(unfinished, name);
            force(storage::syncDirectory);
            return storage.open(name, mode);
        } catch (IOException | RuntimeException | Error e) {
            remove(unfinished, e);
            throw e;
        }
    }

    /** A force of a file or of the folder. */
    private interface Force {
        void run() throws IOException;
    }

    private void force(Force action) throws IOException {
        try {
            action.run();
        } catch (IOException e) {
            synchronized (monitor) {
                broken = true;
            }
            poison.accept(e);
            throw e;
        }
    }

    /** Opens a file to be filled: a spare one, whose blocks the device has given already, or a new one. */
    private StorageFile blank(String unfinished) throws IOException {
        String spare;
        synchronized (monitor) {
            spare = spares.poll();
        }
        if (spare != null) {
            storage.rename(spare, unfinished);
            StorageFile file = storage.open(unfinished);
            if (file.size() == segmentBytes) {
                return file;
            }
            file.close();
            storage.delete(unfinished);
        }
        if (storage.usableBytes() < segmentBytes) {
            throw new IOException("the device has room for " + storage.usableBytes() + " bytes");
        }
        return storage.createAnew(unfinished);
    }

    private void fill(StorageFile file) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(WRITE_BYTES, segmentBytes));
        for (long at = 0; at < segmentBytes && !isClosed(); at += zeros.limit()) {
            if (at % STEP_BYTES == 0) {
                giveWay(at);
            }
            if (force && at > 0 && at % FORCE_BYTES == 0) {
                force(file::force);
            }
            zeros.clear().limit((int) Math.min(zeros.capacity(), segmentBytes - at));
            file.writeFully(zeros, at);
        }
        if (isClosed()) {
            throw new IOException("closed");
        }
    }

    /** Waits until the owner has nothing to do, or needs what is being filled. */
    private void giveWay(long filled) {
        long seen = progress.getAsLong();
        while (givesWay && (isInReserve() || isEarly(filled))) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
            long now = progress.getAsLong();
            if (now == seen) {
                return;
            }
            seen = now;
        }
    }

    private boolean isInReserve() {
        synchronized (monitor) {
            return !closed && !ready.isEmpty();
        }
    }

    /** Returns whether the first segment is filled faster than the one before it is used. */
    private boolean isEarly(long filled) {
        synchronized (monitor) {
            return force && !closed && !awaited && filled > PACE * (progress.getAsLong() - progressWhenTaken);
        }
    }

    private boolean isClosed() {
        synchronized (monitor) {
            return closed;
        }
    }

    private void remove(String unfinished, Throwable cause) {
        try {
            if (storage.list().contains(unfinished)) {
                storage.delete(unfinished);
            }
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }
}
