package io.slipstream.journal.format;

import io.slipstream.journal.config.JournalConfig;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The first block of a segment. It lies within one sector, so that it is there as a whole or not at all.
 *
 * <pre>
 *    0  long  magic "SLIPJRNL"               56  long  base sequence: of the first record in here
 *    8  int   format version                 64  long  durable sequence when the segment was begun
 *   12  int   bytes of this header           72  long  time when it was begun, milliseconds since 1970
 *   16  long  journal id, upper half         80  long  end of the data in the segment before, 0 if there is none
 *   24  long  journal id, lower half         88  int   checksum of the last frame before, 0 if there is none
 *   32  long  segment number                 92  zeros
 *   40  long  bytes of the file             124  int   CRC-32C of bytes 0 to 123
 *   48  int   epoch
 *   52  int   bytes of a block              128  zeros up to 4096
 * </pre>
 *
 * @param journalId           the same for all segments of a journal
 * @param number              counts the segments from 1
 * @param bytes               size of the file
 * @param epoch               in which the segment was begun
 * @param baseSequence        sequence of the first record in it
 * @param durableSequence     every record up to it had been forced when the segment was begun
 * @param timeMillis          when the segment was begun, in milliseconds since 1970
 * @param predecessorEnd      offset where the segment before ends
 * @param predecessorChecksum checksum of the last frame of the segment before
 * @param version             of the format of this file
 * @param blockBytes          a batch that is forced begins at a multiple of this
 */
public record SegmentHeader(
        UUID journalId,
        long number,
        long bytes,
        int epoch,
        long baseSequence,
        long durableSequence,
        long timeMillis,
        long predecessorEnd,
        int predecessorChecksum,
        int version,
        int blockBytes) {
    /** Bytes that the header takes; the first frame begins here. */
    public static final int BYTES = JournalConfig.BLOCK_BYTES;

    /** Version of the format that this code writes. */
    public static final int VERSION = 2;

    /** The first version, whose frames have no seed. */
    public static final int UNSEEDED_VERSION = 1;

    private static final long MAGIC = 0x4C4E_524A_5049_4C53L;
    private static final int CHECKSUM_OFFSET = 124;
    private static final int USED_BYTES = 128;

    /** Creates the header of a file of the version that this code writes. */
    public SegmentHeader(
            UUID journalId,
            long number,
            long bytes,
            int epoch,
            long baseSequence,
            long durableSequence,
            long timeMillis,
            long predecessorEnd,
            int predecessorChecksum,
            int blockBytes) {
        this(
                journalId,
                number,
                bytes,
                epoch,
                baseSequence,
                durableSequence,
                timeMillis,
                predecessorEnd,
                predecessorChecksum,
                VERSION,
                blockBytes);
    }

    /** What the first block of a file may be. */
    public enum Kind {
        /** A header of this journal's format. */
        VALID,
        /** Nothing was written yet, or not to the end: the checksum, which comes last, is missing. */
        BLANK,
        /** The file is shorter than a header. */
        SHORT,
        /** A header of a later version of the format. */
        OTHER_VERSION,
        /** Not the beginning of a segment. */
        NO_SEGMENT,
        /** A header whose checksum is wrong. */
        DAMAGED
    }

    /** Writes the header at the buffer's position and advances it by {@link #BYTES}. */
    public void write(ByteBuffer target) {
        ByteBuffer out = target.slice(target.position(), BYTES).order(ByteOrder.LITTLE_ENDIAN);
        while (out.hasRemaining()) {
            out.putLong(0);
        }
        out.putLong(0, MAGIC)
                .putInt(8, version)
                .putInt(12, BYTES)
                .putLong(16, journalId.getMostSignificantBits())
                .putLong(24, journalId.getLeastSignificantBits())
                .putLong(32, number)
                .putLong(40, bytes)
                .putInt(48, epoch)
                .putInt(52, blockBytes)
                .putLong(56, baseSequence)
                .putLong(64, durableSequence)
                .putLong(72, timeMillis)
                .putLong(80, predecessorEnd)
                .putInt(88, predecessorChecksum);
        int checksum = checksum(out);
        if (checksum == 0) {
            // That would say that the header was not written to its end.
            checksum = checksum(out.putLong(72, timeMillis + 1));
        }
        VarHandle.releaseFence();
        out.putInt(CHECKSUM_OFFSET, checksum);
        target.position(target.position() + BYTES);
    }

    /** Returns the checksum that the header is written with, which tells it from any other. */
    public int checksum() {
        ByteBuffer block = ByteBuffer.allocate(BYTES);
        write(block);
        return block.order(ByteOrder.LITTLE_ENDIAN).getInt(CHECKSUM_OFFSET);
    }

    /** Returns whether the segment may be the one behind {@code previous}, as far as headers say. */
    public boolean canFollow(SegmentHeader previous) {
        return number == previous.number + 1
                && baseSequence >= previous.baseSequence
                && epoch >= previous.epoch
                && durableSequence >= previous.durableSequence
                && predecessorEnd >= BYTES
                && predecessorEnd <= previous.bytes;
    }

    /** Says what the first block of a file, which lies from 0 to the limit of {@code block}, is. */
    public static Kind kind(ByteBuffer block) {
        if (block.limit() < USED_BYTES) {
            return Kind.SHORT;
        }
        ByteBuffer in = block.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        if (in.getLong(0) == MAGIC && in.getInt(8) > VERSION) {
            return isOfThisVersion(in) ? Kind.DAMAGED : Kind.OTHER_VERSION;
        }
        if (in.getInt(CHECKSUM_OFFSET) == 0) {
            return Kind.BLANK;
        }
        if (in.getLong(0) != MAGIC) {
            return Kind.NO_SEGMENT;
        }
        if (in.getInt(CHECKSUM_OFFSET) != checksum(in) || in.getInt(8) < UNSEEDED_VERSION || !isBlock(in.getInt(52))) {
            return Kind.DAMAGED;
        }
        return block.limit() < BYTES ? Kind.SHORT : isBlankBehindHeader(in) ? Kind.VALID : Kind.DAMAGED;
    }

    /** Returns the version of the format in a block of the kind {@link Kind#OTHER_VERSION}. */
    public static int version(ByteBuffer block) {
        return block.duplicate().order(ByteOrder.LITTLE_ENDIAN).getInt(8);
    }

    /** Reads a header from a block of the kind {@link Kind#VALID}. */
    public static SegmentHeader read(ByteBuffer block) {
        ByteBuffer in = block.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        return new SegmentHeader(
                new UUID(in.getLong(16), in.getLong(24)),
                in.getLong(32),
                in.getLong(40),
                in.getInt(48),
                in.getLong(56),
                in.getLong(64),
                in.getLong(72),
                in.getLong(80),
                in.getInt(88),
                in.getInt(8),
                in.getInt(52));
    }

    /** Returns what the checksums of the frames in this file are mixed with; 0 in the first version. */
    public int seed() {
        return seed(version, journalId, number);
    }

    /** Returns the seed of the file {@code number} of a journal: the CRC-32C of its id and the number. */
    public static int seed(int version, UUID journalId, long number) {
        if (version <= UNSEEDED_VERSION) {
            return 0;
        }
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(3 * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(journalId.getMostSignificantBits())
                .putLong(journalId.getLeastSignificantBits())
                .putLong(number)
                .flip());
        return (int) crc.getValue();
    }

    /** Returns {@code offset} rounded up to a block of this file. */
    public long nextBlock(long offset) {
        return offset + (blockBytes - 1) & -blockBytes;
    }

    private static boolean isBlock(int bytes) {
        return Integer.bitCount(bytes) == 1
                && bytes >= JournalConfig.MIN_BLOCK_BYTES
                && bytes <= JournalConfig.BLOCK_BYTES;
    }

    /**
     * Returns whether all but the version is that of a header of a known version. Of another version nothing is known
     * but where the magic and the version are.
     */
    private static boolean isOfThisVersion(ByteBuffer block) {
        ByteBuffer copy = ByteBuffer.allocate(USED_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(block.duplicate().position(0).limit(USED_BYTES));
        for (int known = UNSEEDED_VERSION; known <= VERSION; known++) {
            if (copy.putInt(8, known).getInt(CHECKSUM_OFFSET) == checksum(copy)) {
                return true;
            }
        }
        return false;
    }

    private static int checksum(ByteBuffer block) {
        CRC32C crc = new CRC32C();
        crc.update(block.duplicate().position(0).limit(CHECKSUM_OFFSET));
        return (int) crc.getValue();
    }

    private static boolean isBlankBehindHeader(ByteBuffer block) {
        for (int i = USED_BYTES; i < BYTES; i++) {
            if (block.get(i) != 0) {
                return false;
            }
        }
        return true;
    }
}
