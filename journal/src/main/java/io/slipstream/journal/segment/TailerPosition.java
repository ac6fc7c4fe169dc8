package io.slipstream.journal.segment;

import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The durable position of a named tailer: two slots of a sector each, written in turn, so that one is always whole.
 *
 * <pre>
 *    0  long  magic "SLIPTAIL"     16  long  sequence of the last record that was handled
 *    8  long  count of moves       24  int   CRC-32C of bytes 0 to 23
 * </pre>
 */
public final class TailerPosition implements AutoCloseable {
    private static final long MAGIC = 0x4C49_4154_5049_4C53L;
    private static final int SLOT_BYTES = 512;
    private static final int CHECKSUM_OFFSET = 24;
    private static final int USED_BYTES = 28;

    private final StorageFile file;
    private final ByteBuffer slot = ByteBuffer.allocateDirect(USED_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private long moves;
    private long sequence;

    private TailerPosition(StorageFile file) {
        this.file = file;
    }

    /** Opens the position of a tailer; if there is none yet, creates it at {@code initial}. */
    public static TailerPosition open(Storage storage, String tailer, long initial) throws IOException {
        String name = SegmentName.tailer(tailer);
        if (!storage.list().contains(name)) {
            String unfinished = name + SegmentName.UNFINISHED;
            try (StorageFile created = storage.create(unfinished)) {
                created.writeFully(ByteBuffer.allocateDirect(2 * SLOT_BYTES), 0);
                TailerPosition position = new TailerPosition(created);
                position.move(initial);
                position.force();
            }
            storage.rename(unfinished, name);
            storage.syncDirectory();
        }
        TailerPosition position = new TailerPosition(storage.open(name));
        position.readSlots();
        return position;
    }

    /** Reads the position of a tailer. */
    public static long read(Storage storage, String tailer) throws IOException {
        try (TailerPosition position = new TailerPosition(storage.openForReading(SegmentName.tailer(tailer)))) {
            position.readSlots();
            return position.sequence();
        }
    }

    /** Reads the position of a tailer and makes it durable: what is before it may be removed. */
    public static long readDurable(Storage storage, String tailer) throws IOException {
        try (TailerPosition position = new TailerPosition(storage.open(SegmentName.tailer(tailer)))) {
            position.readSlots();
            position.force();
            return position.sequence();
        }
    }

    /** Returns the sequence of the last record that was handled. */
    public long sequence() {
        return sequence;
    }

    /** Writes a new position. */
    public void move(long newSequence) throws IOException {
        sequence = newSequence;
        moves++;
        slot.clear().putLong(MAGIC).putLong(moves).putLong(newSequence);
        slot.putInt(checksum()).flip();
        file.writeFully(slot, (moves & 1) * SLOT_BYTES);
    }

    /** Makes the position durable. */
    public void force() throws IOException {
        file.force();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private void readSlots() throws IOException {
        for (int i = 0; i < 2; i++) {
            slot.clear();
            int read = 0;
            while (slot.hasRemaining() && read >= 0) {
                read = file.read(slot, (long) i * SLOT_BYTES + slot.position());
            }
            if (!slot.hasRemaining() && slot.getLong(0) == MAGIC && slot.position(CHECKSUM_OFFSET).getInt() == checksum()
                    && slot.getLong(8) > moves) {
                moves = slot.getLong(8);
                sequence = slot.getLong(16);
            }
        }
        if (moves == 0) {
            throw new IOException(file.name() + " holds no valid position; remove it to begin anew");
        }
    }

    private int checksum() {
        CRC32C crc = new CRC32C();
        crc.update(slot.duplicate().position(0).limit(CHECKSUM_OFFSET));
        return (int) crc.getValue();
    }
}
