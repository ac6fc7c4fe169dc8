package io.slipstream.sim.storage;

import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.errors.JournalLockedException;
import io.slipstream.journal.storage.BackgroundTasks;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The view that one process has of a {@link SimulatedDisk}, from its start to its crash.
 *
 * <p>Each operation on the disk counts. At the one that was chosen for it, or at {@link #crash}, everything stops: that
 * operation and all that follow throw {@link SimulatedCrash}. For one thread.
 */
public final class SimulatedStorage implements Storage {
    private final SimulatedDisk disk;
    private final RandomGenerator random;
    private final List<SimulatedFile> mapped = new ArrayList<>();
    private DiskFaults faults = DiskFaults.NONE;
    private long operations;
    private long crashAt = Long.MAX_VALUE;
    private boolean forceFailed;
    private boolean locked;
    private @Nullable TreeMap<String, HeldTasks> tasks;
    private long nanos;
    private Runnable onCrash = () -> {};
    private String segmentInRound = "";
    private boolean isInTwoSegments;

    /** Creates a view of {@code disk}; all chance comes from {@code random}. */
    public SimulatedStorage(SimulatedDisk disk, RandomGenerator random) {
        this.disk = disk;
        this.random = random;
    }

    /** Sets what goes wrong from now on. */
    public void setFaults(DiskFaults newFaults) {
        faults = newFaults;
    }

    /**
     * From now on holds back what a journal does beside its owner, until {@link #runTask} or the owner waits for it.
     */
    public void holdTasks() {
        tasks = new TreeMap<>();
    }

    /** Runs one of the tasks that are held back, of any of their threads, if there are some. */
    public void runTask() {
        if (tasks != null && !tasks.isEmpty()) {
            int chosen = random.nextInt(tasks.size());
            for (HeldTasks each : tasks.values()) {
                if (chosen-- == 0) {
                    each.runOne();
                    return;
                }
            }
        }
    }

    /**
     * Ends a round of a thread that writes a batch at most; returns whether that has written records into a segment,
     * and then into a later one.
     */
    public boolean endRound() {
        boolean was = isInTwoSegments;
        segmentInRound = "";
        isInTwoSegments = false;
        return was;
    }

    /** Records were written into that file, if it is a segment. */
    void wroteRecords(String name) {
        if (name.startsWith("segment-") && name.endsWith(".journal")) {
            // Their numbers have leading zeros.
            isInTwoSegments |= !segmentInRound.isEmpty() && name.compareTo(segmentInRound) > 0;
            segmentInRound = name;
        }
    }

    /** Returns the simulated time, which goes on while the disk works. */
    public InstantSource clock() {
        return () -> Instant.ofEpochSecond(0, nanos);
    }

    /**
     * Ends the process, whether it has crashed or not: what it had stored into mappings until then is in their files,
     * and what it may still store is not.
     */
    public void end() {
        takeStores();
        mapped.clear();
    }

    /**
     * Makes the operation number {@code operation}, counted from 1, the last one, which happens in part; one that has
     * been stops everything now. What was stored into mappings until now is in their files in any case.
     */
    public void crashAt(long operation) {
        takeStores();
        crashAt = operation;
    }

    /** Sets what happens at the moment of the crash, before anybody hears of it. */
    public void onCrash(Runnable action) {
        onCrash = action;
    }

    /** Stops everything now. */
    public void crash() {
        crashAt(0);
    }

    /** Returns whether the crash has come. */
    public boolean isCrashed() {
        return operations >= crashAt;
    }

    /** Returns how many operations there were. */
    public long operations() {
        return operations;
    }

    /** Returns whether a force has failed: what was written before it may be gone, whoever dies. */
    public boolean hasForceFailed() {
        return forceFailed;
    }

    @Override
    public String description() {
        return "simulated disk";
    }

    @Override
    public List<String> list() {
        requireAlive();
        return disk.list();
    }

    @Override
    public Closeable lock() throws JournalLockedException {
        requireAlive();
        if (locked) {
            throw new JournalLockedException(description());
        }
        locked = true;
        return () -> locked = false;
    }

    @Override
    public StorageFile create(String name) throws IOException {
        requireAlive();
        if (disk.exists(name)) {
            throw new FileAlreadyExistsException(name);
        }
        step();
        return new SimulatedFile(this, name, disk.create(name), WriteMode.BUFFERED);
    }

    @Override
    public StorageFile open(String name) throws IOException {
        return open(name, WriteMode.BUFFERED);
    }

    @Override
    public StorageFile open(String name, WriteMode mode) throws IOException {
        requireAlive();
        if (!disk.exists(name)) {
            throw new NoSuchFileException(name);
        }
        return new SimulatedFile(this, name, disk.inode(name), mode);
    }

    @Override
    public StorageFile openForReading(String name) throws IOException {
        return open(name);
    }

    @Override
    public void rename(String from, String to) {
        step();
        disk.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        requireAlive();
        if (!disk.exists(name)) {
            throw new NoSuchFileException(name);
        }
        step();
        disk.delete(name);
    }

    @Override
    public void syncDirectory() throws IOException {
        step();
        if (forceFails()) {
            throw new IOException("Input/output error");
        }
        disk.syncNames();
    }

    @Override
    public long usableBytes() {
        requireAlive();
        return Math.max(0, faults.capacityBytes() - disk.usedBytes());
    }

    @Override
    public @Nullable BackgroundTasks backgroundTasks(String name) {
        return tasks == null ? null : tasks.computeIfAbsent(name, key -> new HeldTasks());
    }

    @Override
    public void close() {}

    /**
     * Requires that the crash has not come: for who acknowledges something that has asked nothing of the disk.
     *
     * @throws SimulatedCrash if it has
     */
    public void requireAlive() {
        if (isCrashed()) {
            throw new SimulatedCrash();
        }
        takeStores();
    }

    /** Lets everything that is done to the disk from now on see what is stored into the mapping of a file. */
    void mapped(SimulatedFile file) {
        mapped.add(file);
    }

    /** Returns the mapping that a file of {@code bytes} bytes has already, or null. */
    @Nullable
    MemorySegment mappingOf(Inode inode, long bytes) {
        for (SimulatedFile each : mapped) {
            MemorySegment mapping = each.mappingOf(inode);
            if (mapping != null && mapping.byteSize() == bytes) {
                return mapping;
            }
        }
        return null;
    }

    /** Lets the mappings of a file see what was written to it, under whatever name. */
    void showInMappings(Inode inode, byte[] bytes, long position) {
        mapped.forEach(file -> file.show(inode, bytes, position));
    }

    /** Forgets a mapping; what was stored into it is in the file. */
    void unmap(SimulatedFile file) {
        takeStores();
        mapped.remove(file);
    }

    private void takeStores() {
        if (!isCrashed()) {
            mapped.forEach(SimulatedFile::takeStores);
        }
    }

    /** Counts an operation; throws if it is the last one. */
    void step() {
        if (lastStep()) {
            throw new SimulatedCrash();
        }
    }

    /** Counts an operation; returns whether it is the last one. */
    boolean lastStep() {
        requireAlive();
        operations++;
        if (faults.latencyNanos() > 0) {
            nanos += random.nextLong(faults.latencyNanos());
        }
        if (isCrashed()) {
            onCrash.run();
        }
        return isCrashed();
    }

    boolean strikes(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    boolean forceFails() {
        boolean fails = strikes(faults.forceError());
        forceFailed |= fails;
        return fails;
    }

    /** Returns what goes wrong. */
    public DiskFaults faults() {
        return faults;
    }

    RandomGenerator random() {
        return random;
    }

    SimulatedDisk disk() {
        return disk;
    }
}
