package io.slipstream.journal.format;

import io.slipstream.journal.errors.JournalVersionException;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * A sequence that is kept durably in a file of its own, as the position of a named tailer is: two slots of a sector each, written in
 * turn, so that one is always whole.
 *
 * <pre>
 *    0  long  magic "SLIPTAIL"     16  long  count of moves
 *    8  int   version: 1           24  long  sequence of the last record that was handled
 *   12  int   0                    32  int   CRC-32C of bytes 0 to 31
 * </pre>
 */
public final class PositionFile implements AutoCloseable {
    private static final long MAGIC = 0x4C49_4154_5049_4C53L;
    private static final int VERSION = 1;
    private static final int SLOT_BYTES = 512;
    private static final int VERSION_OFFSET = 8;
    private static final int MOVES_OFFSET = 16;
    private static final int SEQUENCE_OFFSET = 24;
    private static final int CHECKSUM_OFFSET = 32;
    private static final int USED_BYTES = 36;

    private final StorageFile file;
    private final ByteBuffer slot = ByteBuffer.allocateDirect(USED_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private long moves;
    private long sequence;

    private PositionFile(StorageFile file) {
        this.file = file;
    }

    /** Creates the file {@code name} at {@code initial}. Its name is durable once the caller has synchronised the folder. */
    public static void create(Storage storage, String name, long initial) throws IOException {
        String unfinished = name + FileName.UNFINISHED;
        try (StorageFile created = storage.createAnew(unfinished)) {
            created.writeFully(ByteBuffer.allocateDirect(2 * SLOT_BYTES), 0);
            PositionFile position = new PositionFile(created);
            position.move(initial);
            position.force();
        }
        storage.rename(unfinished, name);
    }

    /**
     * Reads the sequence in the file {@code name}.
     *
     * @throws JournalVersionException if a newer version has written it, as the other ways to open one do
     */
    public static long read(Storage storage, String name) throws IOException {
        try (PositionFile position = new PositionFile(storage.openForReading(name))) {
            position.requireSlots();
            return position.sequence();
        }
    }

    /** Opens the file {@code name}, which is there. */
    public static PositionFile open(Storage storage, String name) throws IOException {
        PositionFile position = new PositionFile(storage.open(name));
        try {
            position.requireSlots();
            return position;
        } catch (IOException | RuntimeException | Error e) {
            position.close();
            throw e;
        }
    }

    /**
     * Moves the sequence in the file {@code name} back to {@code last} if it is ahead of that, and makes it durable in any case: what is seen now
     * may not be on the device, if a force has failed before. A file that holds no position is left as it is.
     *
     * @return whether it was ahead
     */
    public static boolean bringBack(Storage storage, String name, long last) throws IOException {
        try (PositionFile position = new PositionFile(storage.open(name))) {
            if (!position.readSlots()) {
                return false;
            }
            boolean ahead = position.sequence > last;
            position.move(Math.min(position.sequence, last));
            position.force();
            return ahead;
        }
    }

    /** Returns the sequence in the file {@code name}, or empty if there is no such file, or no sequence in it. */
    public static OptionalLong find(Storage storage, String name) throws IOException {
        try (PositionFile position = new PositionFile(storage.openForReading(name))) {
            return position.readSlots() ? OptionalLong.of(position.sequence) : OptionalLong.empty();
        } catch (NoSuchFileException e) {
            return OptionalLong.empty();
        }
    }

    /** Returns the sequence, of a tailer that of the last record that was handled. */
    public long sequence() {
        return sequence;
    }

    /** Writes a new position; if that fails, the one before holds. */
    public void move(long newSequence) throws IOException {
        long next = moves + 1;
        slot.clear().putLong(MAGIC).putInt(VERSION).putInt(0).putLong(next).putLong(newSequence);
        slot.putInt(checksum()).flip();
        file.writeFully(slot, (next & 1) * SLOT_BYTES);
        moves = next;
        sequence = newSequence;
    }

    /** Makes the position durable. */
    public void force() throws IOException {
        file.force();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private void requireSlots() throws IOException {
        if (!readSlots()) {
            throw new IOException(file.name() + " holds no valid position; remove it to begin anew");
        }
    }

    /** Reads the newer slot of those that are whole; returns whether there is one. */
    private boolean readSlots() throws IOException {
        for (int i = 0; i < 2; i++) {
            slot.clear();
            file.readFully(slot, (long) i * SLOT_BYTES);
            if (slot.hasRemaining() || slot.getLong(0) != MAGIC) {
                continue;
            }
            int version = slot.getInt(VERSION_OFFSET);
            // With this version in its place, the checksum tells a bit that has flipped from a version to come.
            boolean whole = slot.putInt(VERSION_OFFSET, VERSION).getInt(CHECKSUM_OFFSET) == checksum();
            if (version > VERSION && !whole) {
                throw new JournalVersionException(file.name(), version, VERSION);
            }
            if (version == VERSION && whole && slot.getLong(MOVES_OFFSET) > moves) {
                moves = slot.getLong(MOVES_OFFSET);
                sequence = slot.getLong(SEQUENCE_OFFSET);
            }
        }
        return moves > 0;
    }

    private int checksum() {
        CRC32C crc = new CRC32C();
        crc.update(slot.duplicate().position(0).limit(CHECKSUM_OFFSET));
        return (int) crc.getValue();
    }
}
