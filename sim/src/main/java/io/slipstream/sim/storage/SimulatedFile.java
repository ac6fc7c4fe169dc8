package io.slipstream.sim.storage;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An open file of a {@link SimulatedStorage}.
 *
 * <p>What it was opened for decides how its writes become durable. With DSYNC and DIRECT each write forces its own
 * bytes, and {@link #force} does nothing, as with channels that were opened so; DIRECT takes whole blocks alone. Stores
 * into a mapping are seen by everything else that is done to the disk, and are as durable as any other write: not
 * before they are forced.
 */
final class SimulatedFile implements StorageFile {
    private static final int BLOCK = 4096;

    private final SimulatedStorage storage;
    private final String name;
    private final Inode inode;
    private final WriteMode mode;
    private @Nullable MemorySegment mapping;

    SimulatedFile(SimulatedStorage storage, String name, Inode inode, WriteMode mode) {
        this.storage = storage;
        this.name = name;
        this.inode = inode;
        this.mode = mode;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long size() {
        return inode.size();
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        storage.requireAlive();
        if (storage.strikes(storage.faults().readError())) {
            throw new IOException("Input/output error");
        }
        int count = (int) Math.min(target.remaining(), inode.size() - position);
        if (count <= 0) {
            return target.hasRemaining() ? -1 : 0;
        }
        target.put(inode.content(), (int) position, count);
        return count;
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
        if (mode == WriteMode.DIRECT
                && (position % BLOCK != 0
                        || source.remaining() % BLOCK != 0
                        || MemorySegment.ofBuffer(source).address() % BLOCK != 0)) {
            throw new IOException(
                    "Invalid argument: " + source.remaining() + " bytes at " + position + " are no whole blocks");
        }
        boolean crash = storage.lastStep();
        boolean fails = storage.strikes(storage.faults().writeError());
        boolean isShort = storage.strikes(storage.faults().shortWrite());
        int offered = source.remaining();
        int room = (int) Math.min(
                offered,
                Math.max(
                        0,
                        inode.size()
                                - position
                                + storage.faults().capacityBytes()
                                - storage.disk().usedBytes()));
        int count = crash || fails
                ? partOf(position, room)
                : isShort && room > 0 ? upToUnit(position, 1 + storage.random().nextInt(room), room) : room;
        byte[] bytes = new byte[count];
        source.get(bytes);
        inode.write(bytes, (int) position, storage.disk().tick());
        // A segment begins with a block for its header, and is prepared with zeros.
        if (position >= BLOCK && !isBlank(bytes)) {
            storage.wroteRecords(name);
        }
        storage.showInMappings(inode, bytes, position);
        if (crash) {
            throw new SimulatedCrash();
        }
        if (fails) {
            throw new IOException("Input/output error");
        }
        if (count == 0 && offered > 0) {
            throw new IOException("No space left on device");
        }
        if (forcesWrites()) {
            forceWritten(position, count);
        }
        return count;
    }

    private static boolean isBlank(byte[] bytes) {
        for (int i = 0; i < Math.min(bytes.length, Frame.HEADER_BYTES); i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    /** What is left of an interrupted write: any part of it, but for one within a sector, which happens or does not. */
    private int partOf(long position, int room) {
        boolean withinSector = position / Inode.SECTOR == (position + room - 1) / Inode.SECTOR;
        return withinSector
                ? storage.random().nextInt(2) * room
                : storage.random().nextInt(room + 1) & -Long.BYTES;
    }

    /**
     * A short write ends with a sector, as those of file systems end with a page; one past the page cache, with a
     * block.
     */
    private int upToUnit(long position, int count, int room) {
        int unit = mode == WriteMode.DIRECT ? BLOCK : Inode.SECTOR;
        int more = (int) (-(position + count) & (unit - 1));
        return Math.min(room, count + more);
    }

    private boolean forcesWrites() {
        return mode == WriteMode.DSYNC || mode == WriteMode.DIRECT;
    }

    private void forceWritten(long position, int count) throws IOException {
        if (storage.forceFails()) {
            inode.failForce(storage.random());
            throw new IOException("Input/output error");
        }
        inode.force((int) position, count);
    }

    @Override
    public void force() throws IOException {
        storage.step();
        if (forcesWrites()) {
            return;
        }
        if (storage.forceFails()) {
            inode.failForce(storage.random());
            throw new IOException("Input/output error");
        }
        inode.force();
    }

    @Override
    public void truncate(long size) {
        storage.step();
        inode.truncate((int) size);
    }

    /**
     * Maps memory of its own, which stays accessible whatever becomes of the arena: a store after a crash must do no
     * harm. All mappings of a file are one, also of one that has got another name since. A file that is too short is
     * made longer, as channels do.
     */
    @Override
    public MemorySegment map(long bytes, Arena arena) {
        storage.step();
        if (inode.size() < bytes) {
            inode.write(
                    new byte[(int) bytes - inode.size()],
                    inode.size(),
                    storage.disk().tick());
        }
        MemorySegment mapped = storage.mappingOf(inode, bytes);
        if (mapped == null) {
            mapped = Arena.ofAuto().allocate(bytes, BLOCK);
            MemorySegment.copy(inode.content(), 0, mapped, ValueLayout.JAVA_BYTE, 0, (int) bytes);
        }
        mapping = mapped;
        storage.mapped(this);
        return mapped;
    }

    /** Returns the mapping of this file, if it has one and that is the file. */
    @Nullable
    MemorySegment mappingOf(Inode mapped) {
        return inode == mapped ? mapping : null;
    }

    @Override
    public void forceMapped(MemorySegment forced) throws IOException {
        force();
    }

    /**
     * Shows what was written to a file in the mapping of this one, if both are the same file: a mapping and the file
     * are one.
     */
    void show(Inode written, byte[] bytes, long position) {
        if (mapping != null && inode == written && position < mapping.byteSize()) {
            MemorySegment.copy(bytes, 0, mapping, ValueLayout.JAVA_BYTE, position, (int)
                    Math.min(bytes.length, mapping.byteSize() - position));
        }
    }

    /** Writes to the file what was stored into its mapping since it was done last, by whole sectors. */
    void takeStores() {
        if (mapping == null) {
            return;
        }
        MemorySegment file = MemorySegment.ofArray(inode.content());
        for (long at = 0; at < mapping.byteSize(); ) {
            long different = MemorySegment.mismatch(mapping, at, mapping.byteSize(), file, at, mapping.byteSize());
            if (different < 0) {
                return;
            }
            long sector = (at + different) & -Inode.SECTOR;
            inode.write(
                    mapping.asSlice(sector, Inode.SECTOR).toArray(ValueLayout.JAVA_BYTE),
                    (int) sector,
                    storage.disk().tick());
            at = sector + Inode.SECTOR;
        }
    }

    @Override
    public void close() {
        if (mapping != null) {
            storage.unmap(this);
            mapping = null;
        }
    }
}
