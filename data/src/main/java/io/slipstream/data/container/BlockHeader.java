package io.slipstream.data.container;

import io.slipstream.data.wire.Bytes;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * What each block of a container file begins with.
 *
 * <pre>
 *   bytes 4 | messages 4 | CRC-32C of the bytes behind the header 4 | CRC-32C of position and all before 4
 * </pre>
 *
 * <p>The position of the block in the file, in eight bytes, goes into the second checksum only: a block is one in its
 * own place alone. A block without messages is the end of the file. One thread.
 */
final class BlockHeader {
    static final int BYTES = 16;

    private static final int COUNT_AT = 4;
    private static final int CHECKSUM_AT = 8;
    private static final int OWN_CHECKSUM_AT = 12;

    private final CRC32C crc = new CRC32C();
    private final ByteBuffer own = ByteBuffer.allocateDirect(Long.BYTES + OWN_CHECKSUM_AT);
    private final MemorySegment ownMemory = MemorySegment.ofBuffer(own);

    /**
     * Writes the header of a block.
     *
     * @param block which begins with room for its header
     * @param buffer over the same memory
     * @param end of the block's bytes
     */
    void put(MemorySegment block, ByteBuffer buffer, long position, int end, int count) {
        Bytes.putInt(block, 0, end - BYTES);
        Bytes.putInt(block, COUNT_AT, count);
        Bytes.putInt(block, CHECKSUM_AT, checksum(buffer, end));
        Bytes.putInt(block, OWN_CHECKSUM_AT, ownChecksum(block, position));
    }

    static int bytes(MemorySegment block) {
        return Bytes.getInt(block, 0);
    }

    static int count(MemorySegment block) {
        return Bytes.getInt(block, COUNT_AT);
    }

    /** Returns whether the header is that of a block at this position. */
    boolean isWhole(MemorySegment block, long position) {
        return Bytes.getInt(block, OWN_CHECKSUM_AT) == ownChecksum(block, position);
    }

    /** Returns whether the bytes behind the header are those that it was written for. */
    boolean areWhole(MemorySegment block, ByteBuffer buffer, int end) {
        return Bytes.getInt(block, CHECKSUM_AT) == checksum(buffer, end);
    }

    private int checksum(ByteBuffer buffer, int end) {
        crc.reset();
        crc.update(buffer.position(BYTES).limit(end));
        buffer.clear();
        return (int) crc.getValue();
    }

    private int ownChecksum(MemorySegment block, long position) {
        Bytes.putLong(ownMemory, 0, position);
        MemorySegment.copy(block, 0, ownMemory, Long.BYTES, OWN_CHECKSUM_AT);
        crc.reset();
        crc.update(own.clear());
        return (int) crc.getValue();
    }
}
