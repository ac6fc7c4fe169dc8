package io.slipstream.data.column;

/** What one value of a column takes. */
public enum Width {
    /** One bit. */
    BIT(0),
    /** A signed byte. */
    BYTE(1),
    /** An unsigned byte. */
    UNSIGNED_BYTE(1),
    /** A signed number of two bytes. */
    SHORT(2),
    /** An unsigned number of two bytes. */
    CHAR(2),
    /** Four bytes. */
    INT(4),
    /** Eight bytes. */
    LONG(8),
    /** Four bytes, IEEE 754. */
    FLOAT(4),
    /** Eight bytes, IEEE 754. */
    DOUBLE(8);

    private final int bytes;

    Width(int bytes) {
        this.bytes = bytes;
    }

    /** Returns the bytes of one value; 0 for a bit. */
    public int bytes() {
        return bytes;
    }

    /** Returns the bytes of so many values. Bits are in words of 64. */
    public long bytesOf(long values) {
        return this == BIT ? (values + 63 >>> 6) * Long.BYTES : values * bytes;
    }
}
