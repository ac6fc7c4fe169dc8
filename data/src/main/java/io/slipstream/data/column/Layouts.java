package io.slipstream.data.column;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * How values lie in columns: little-endian. Columns are aligned; the layouts do not ask for it, which saves a check.
 */
public final class Layouts {
    /** A byte. */
    public static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    /** Two bytes. */
    public static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    /** Two bytes. */
    public static final ValueLayout.OfChar CHAR = ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    /** Four bytes. */
    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    /** Eight bytes. */
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    /** Four bytes. */
    public static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    /** Eight bytes. */
    public static final ValueLayout.OfDouble DOUBLE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Layouts() {}
}
