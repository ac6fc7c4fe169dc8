package io.slipstream.ipc.file;

import io.slipstream.core.memory.Region;
import io.slipstream.ipc.errors.ChannelException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.zip.CRC32C;

/**
 * Where things are in the file of a channel, see {@code docs/ipc-format.md}. Nothing of a file is used before it was
 * checked here.
 */
public record Layout(
        long fileBytes, int capacity, boolean manyPublishers, int parties, boolean kept, long createdMillis, long id) {
    /** The bytes "SLIPIPC" and a zero. */
    public static final long MAGIC = 0x0043_5049_5049_4c53L;

    public static final int VERSION = 1;
    public static final int BYTE_ORDER_MARK = 0x0102_0304;

    public static final int MAGIC_AT = 0;
    public static final int VERSION_AT = 8;
    public static final int BYTE_ORDER_AT = 12;
    public static final int FILE_BYTES_AT = 16;
    public static final int CAPACITY_AT = 24;
    public static final int MODE_AT = 32;
    public static final int PARTIES_AT = 36;
    public static final int FLAGS_AT = 40;
    public static final int SLOTS_OFFSET_AT = 48;
    public static final int STAMPS_OFFSET_AT = 56;
    public static final int DATA_OFFSET_AT = 64;
    public static final int CREATED_AT = 72;
    public static final int ID_AT = 80;
    public static final int CHECKSUM_AT = 88;

    public static final int TAIL_AT = 256;
    public static final int ANNOUNCED_AT = 512;
    public static final int LIMIT_AT = 768;
    public static final int SLEEPERS_AT = 1024;
    public static final int LANDMARKS_AT = 1280;
    public static final int LANDMARKS = 64;

    public static final int SLOTS_OFFSET = 4096;
    public static final int SLOT_BYTES = 256;
    public static final int STATE_AT = 0;
    public static final int PID_AT = 8;
    public static final int START_AT = 16;
    public static final int JOINED_AT = 24;
    public static final int PATIENCE_AT = 32;
    public static final int NAME_LENGTH_AT = 44;
    public static final int NAME_AT = 48;
    public static final int NAME_BYTES = 80;
    public static final int POSITION_AT = 128;
    public static final int ARMED_AT = 192;

    public static final int SMALLEST_CAPACITY = 4096;
    public static final int LARGEST_CAPACITY = 1 << 30;
    public static final int MOST_PARTIES = 62;

    /** The kernel locks: of whoever opens or leaves, and of all processes that have the file open. */
    public static final long GATE_LOCK = 0;

    public static final long OPEN_LOCK = 1;

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int PAGE = 4096;
    private static final int ONE = 1;
    private static final int MANY = 2;
    private static final int KEPT = 1;

    /** Returns the layout of a new channel, with an id that no other has. */
    public static Layout ofNew(int capacity, boolean manyPublishers, int parties, boolean kept) {
        return of(capacity, manyPublishers, parties, kept, System.currentTimeMillis(), RANDOM.nextLong());
    }

    public static Layout of(
            int capacity, boolean manyPublishers, int parties, boolean kept, long createdMillis, long id) {
        long data = dataOffset(capacity, manyPublishers, parties);
        return new Layout(data + capacity, capacity, manyPublishers, parties, kept, createdMillis, id);
    }

    public long stampsOffset() {
        return manyPublishers ? align(SLOTS_OFFSET + (long) parties * SLOT_BYTES) : 0;
    }

    public long dataOffset() {
        return dataOffset(capacity, manyPublishers, parties);
    }

    /** Returns where slot {@code index} is; its first byte is the one that its party has locked. */
    public static long slot(int index) {
        return SLOTS_OFFSET + (long) index * SLOT_BYTES;
    }

    private static long dataOffset(int capacity, boolean manyPublishers, int parties) {
        return align(SLOTS_OFFSET + (long) parties * SLOT_BYTES) + (manyPublishers ? align(capacity / 2) : 0);
    }

    private static long align(long bytes) {
        return (bytes + PAGE - 1) & -PAGE;
    }

    /** Returns the part of the header that never changes. */
    public ByteBuffer header() {
        ByteBuffer header = ByteBuffer.allocate(CHECKSUM_AT + Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(MAGIC_AT, MAGIC).putInt(VERSION_AT, VERSION).putInt(BYTE_ORDER_AT, BYTE_ORDER_MARK);
        header.putLong(FILE_BYTES_AT, fileBytes)
                .putLong(CAPACITY_AT, capacity)
                .putInt(MODE_AT, manyPublishers ? MANY : ONE);
        header.putInt(PARTIES_AT, parties).putInt(FLAGS_AT, kept ? KEPT : 0);
        header.putLong(SLOTS_OFFSET_AT, SLOTS_OFFSET)
                .putLong(STAMPS_OFFSET_AT, stampsOffset())
                .putLong(DATA_OFFSET_AT, dataOffset());
        header.putLong(CREATED_AT, createdMillis).putLong(ID_AT, id);
        header.putInt(CHECKSUM_AT, checksum(header));
        return header;
    }

    /**
     * Reads the header of {@code file}, which is mapped whole, and refuses whatever this version would not have
     * written.
     */
    public static Layout read(Path file, Region region) throws ChannelException {
        if (region.byteSize() < SLOTS_OFFSET) {
            throw new ChannelException(
                    file, "it has " + region.byteSize() + " bytes, and the header alone has " + SLOTS_OFFSET);
        }
        ByteBuffer header = ByteBuffer.allocate(CHECKSUM_AT + Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        header.put(region.segment().asSlice(0, header.capacity()).asByteBuffer())
                .clear();
        require(file, header.getLong(MAGIC_AT) == MAGIC, "it does not begin as a channel does (magic number)");
        require(
                file,
                header.getInt(VERSION_AT) == VERSION,
                "it has version " + header.getInt(VERSION_AT) + " of the format, and this library knows version "
                        + VERSION);
        require(file, header.getInt(BYTE_ORDER_AT) == BYTE_ORDER_MARK, "it was written in another byte order");
        require(file, header.getInt(CHECKSUM_AT) == checksum(header), "the checksum of its header is wrong");
        long capacity = header.getLong(CAPACITY_AT);
        int parties = header.getInt(PARTIES_AT);
        int mode = header.getInt(MODE_AT);
        int flags = header.getInt(FLAGS_AT);
        require(
                file,
                capacity >= SMALLEST_CAPACITY && capacity <= LARGEST_CAPACITY && Long.bitCount(capacity) == 1,
                "its ring has an impossible size: " + capacity);
        require(file, parties >= 1 && parties <= MOST_PARTIES, "it has an impossible number of slots: " + parties);
        require(file, mode == ONE || mode == MANY, "it has an unknown mode: " + mode);
        require(file, (flags & ~KEPT) == 0, "it has unknown flags: " + flags);
        Layout layout = new Layout(
                header.getLong(FILE_BYTES_AT),
                (int) capacity,
                mode == MANY,
                parties,
                flags == KEPT,
                header.getLong(CREATED_AT),
                header.getLong(ID_AT));
        require(
                file,
                header.getLong(SLOTS_OFFSET_AT) == SLOTS_OFFSET
                        && header.getLong(STAMPS_OFFSET_AT) == layout.stampsOffset()
                        && header.getLong(DATA_OFFSET_AT) == layout.dataOffset()
                        && layout.fileBytes == layout.dataOffset() + capacity,
                "its parts are not where they belong");
        require(
                file,
                region.byteSize() == layout.fileBytes,
                "it has " + region.byteSize() + " bytes, and its header says " + layout.fileBytes);
        return layout;
    }

    private static void require(Path file, boolean condition, String otherwise) throws ChannelException {
        if (!condition) {
            throw new ChannelException(file, otherwise);
        }
    }

    private static int checksum(ByteBuffer header) {
        CRC32C crc = new CRC32C();
        crc.update(header.array(), 0, CHECKSUM_AT);
        return (int) crc.getValue();
    }
}
