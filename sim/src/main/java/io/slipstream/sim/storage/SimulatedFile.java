package io.slipstream.sim.storage;

import io.slipstream.journal.storage.StorageFile;

import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file of a {@link SimulatedStorage}. */
final class SimulatedFile implements StorageFile {
    private final SimulatedStorage storage;
    private final String name;
    private final Inode inode;

    SimulatedFile(SimulatedStorage storage, String name, Inode inode) {
        this.storage = storage;
        this.name = name;
        this.inode = inode;
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
        boolean crash = storage.lastStep();
        boolean fails = storage.strikes(storage.faults().writeError());
        boolean isShort = storage.strikes(storage.faults().shortWrite());
        int offered = source.remaining();
        int room = (int) Math.min(offered, Math.max(0,
                inode.size() - position + storage.faults().capacityBytes() - storage.disk().usedBytes()));
        int count = crash || fails ? storage.random().nextInt(room + 1) & -Long.BYTES
                : isShort && room > 0 ? upToSector(position, 1 + storage.random().nextInt(room), room) : room;
        byte[] bytes = new byte[count];
        source.get(bytes);
        inode.write(bytes, (int) position, storage.disk().tick());
        if (crash) {
            throw new SimulatedCrash();
        }
        if (fails) {
            throw new IOException("Input/output error");
        }
        if (count == 0 && offered > 0) {
            throw new IOException("No space left on device");
        }
        return count;
    }

    /** A short write ends with a sector, as those of file systems end with a page. */
    private static int upToSector(long position, int count, int room) {
        int more = (int) (-(position + count) & (Inode.SECTOR - 1));
        return Math.min(room, count + more);
    }

    @Override
    public void force() throws IOException {
        storage.step();
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

    @Override
    public void close() {
    }
}
