package io.slipstream.core.counters;

/**
 * The layout of a counters file, version 1; little-endian.
 *
 * <pre>
 *      0  magic    8    "SLIPCNTR"
 *      8  version  4    1
 *     12  places   4    how many counters there may be
 *     16  pid      8    the process that writes
 *     24  started  8    milliseconds since 1970; written last, with release order
 *     32  ended    8    milliseconds since 1970 when the file was closed, 0 before
 *    128  descriptors, 256 bytes each:
 *           0 state 4 (0 never used, 1 in use, 2 free again; written last, with release order)   4 type 4
 *           8 owner bytes 4   12 label bytes 4   16 owner, UTF-8, 80   96 label, UTF-8, 160
 *         values, 128 bytes each, alone on a pair of cache lines:
 *           0 value 8   8 the number of the addition 8 (written first)
 * </pre>
 *
 * Each addition has a number, higher than those before. Who reads a counter whose place was given to another one
 * meanwhile knows it by that number.
 */
final class CounterLayout {
    static final long MAGIC = 0x52544e4350494c53L;
    static final int VERSION = 1;
    static final int MAGIC_AT = 0;
    static final int VERSION_AT = 8;
    static final int PLACES_AT = 12;
    static final int PID_AT = 16;
    static final int STARTED_AT = 24;
    static final int ENDED_AT = 32;
    static final int HEADER_BYTES = 128;
    static final int DESCRIPTOR_BYTES = 256;
    static final int STATE_AT = 0;
    static final int TYPE_AT = 4;
    static final int OWNER_LENGTH_AT = 8;
    static final int LABEL_LENGTH_AT = 12;
    static final int OWNER_AT = 16;
    static final int OWNER_BYTES = 80;
    static final int LABEL_AT = 96;
    static final int LABEL_BYTES = 160;
    static final int VALUE_BYTES = 128;
    static final int ADDITION_AT = 8;
    static final int IN_USE = 1;
    static final int FREE_AGAIN = 2;
    static final int MOST_PLACES = 1 << 20;

    private CounterLayout() {}

    static long fileBytes(int places) {
        return HEADER_BYTES + (long) places * (DESCRIPTOR_BYTES + VALUE_BYTES);
    }

    static long descriptor(int index) {
        return HEADER_BYTES + (long) index * DESCRIPTOR_BYTES;
    }

    static long value(int places, int index) {
        return descriptor(places) + (long) index * VALUE_BYTES;
    }

    /** Returns the place whose value is at {@code offset}. */
    static int index(int places, long offset) {
        return (int) ((offset - value(places, 0)) / VALUE_BYTES);
    }
}
