package io.slipstream.journal.segment;

/**
 * Finds the one byte that is to blame for a wrong CRC-32C, if one byte alone is.
 *
 * <p>A CRC is linear: the difference between the checksum that is there and the one that should be there depends on the
 * wrong byte and on how many bytes follow it, and on nothing else. So the difference is taken back byte by byte until
 * it is that of a single wrong byte. An interrupted write leaves whole sectors unwritten and hardly ever fits.
 */
final class WrongByte {
    private static final int POLYNOMIAL = 0x82F6_3B78;
    private static final int[] TABLE = new int[256];
    private static final int[] BY_TOP_BYTE = new int[256];

    static {
        for (int i = 0; i < TABLE.length; i++) {
            int value = i;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                value = (value & 1) == 0 ? value >>> 1 : value >>> 1 ^ POLYNOMIAL;
            }
            TABLE[i] = value;
            BY_TOP_BYTE[value >>> 24] = i;
        }
    }

    private WrongByte() {}

    /**
     * Returns where, among the {@code bytes} that a checksum covers, the one wrong byte is; {@code bytes} if it is in
     * the checksum itself; -1 if there is no such byte.
     *
     * @param difference of the checksum that the bytes have and the one that is written beside them
     */
    static int position(int difference, int bytes) {
        if (isOneByte(difference)) {
            return bytes;
        }
        int rest = difference;
        for (int behind = 0; behind < bytes; behind++) {
            int index = BY_TOP_BYTE[rest >>> 24];
            if (rest == TABLE[index]) {
                return bytes - 1 - behind;
            }
            rest = (rest ^ TABLE[index]) << Byte.SIZE | index;
        }
        return -1;
    }

    private static boolean isOneByte(int difference) {
        return (difference & ~0xFF) == 0
                || (difference & ~0xFF00) == 0
                || (difference & ~0xFF_0000) == 0
                || (difference & ~0xFF00_0000) == 0;
    }
}
