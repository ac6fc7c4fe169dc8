package io.slipstream.log.event;

import io.slipstream.journal.record.JournalRecord;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Offsets in the frame of an event, and the tags of its arguments; see the drawing of the package. */
public final class EventLayout {
    /** Type of a record that is an event. */
    public static final short TYPE = 76;
    /** Version of the layout. */
    public static final byte VERSION = 1;
    /** Where the stamp is. */
    public static final int STAMP_OFFSET = JournalRecord.HEADER_BYTES;
    /** Where the time is. */
    public static final int TIME_OFFSET = STAMP_OFFSET + 8;
    /** Where the number of the site is. */
    public static final int SITE_OFFSET = TIME_OFFSET + 8;
    /**
     * Where the number of the thread is; 0 with the name as the first argument of an event that only names a thread.
     */
    public static final int THREAD_OFFSET = SITE_OFFSET + 4;
    /** Where the arguments begin. */
    public static final int ARGUMENTS_OFFSET = THREAD_OFFSET + 4;

    /** A site of no statement: the event tells the name of its thread, as its argument. */
    public static final int THREAD_NAME_SITE = 0;

    /**
     * Sites from here downwards, one a level, are no statements: the first argument is the name of the logger, and
     * those behind it, as far as there is no key and no trace, are the message in pieces.
     */
    private static final int TEXT_SITE = -1;

    static final byte END = 0;
    static final byte NULL = 1;
    static final byte LONG = 2;
    static final byte DOUBLE = 3;
    static final byte FLOAT = 4;
    static final byte BOOLEAN = 5;
    static final byte CHAR = 6;
    static final byte ASCII = 7;
    static final byte WIDE = 8;
    static final byte ASCII_KEY = 9;
    static final byte WIDE_KEY = 10;
    static final byte ASCII_TRACE = 11;
    static final byte WIDE_TRACE = 12;

    static final ValueLayout.OfLong INT64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfChar UTF16 = ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle STAMP =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle().withInvokeExactBehavior();
    private static final long TYPE_AND_VERSION = TYPE | (long) VERSION << 16;

    private EventLayout() {}

    /** Returns the site of messages of a level that are texts, and no statement's. */
    public static int textSite(int level) {
        return TEXT_SITE - level;
    }

    /** Returns whether it is the site of texts of a level. */
    public static boolean isText(int site) {
        return site <= TEXT_SITE && site > TEXT_SITE - Level.OFF.ordinal();
    }

    /** Returns the level of a site of texts. */
    public static Level textLevel(int site) {
        return Level.of(TEXT_SITE - site);
    }

    /** Writes what stands before the arguments, except length and stamp, and clears the padding at the end. */
    public static void begin(MemorySegment memory, long offset, int length, long nanos, int site, int thread) {
        long end = offset + (length + 15 & -16);
        memory.set(INT64, end - 16, 0L);
        memory.set(INT64, end - 8, 0L);
        memory.set(INT64, offset + JournalRecord.TYPE_OFFSET, TYPE_AND_VERSION);
        memory.set(INT64, offset + JournalRecord.SEQUENCE_OFFSET, 0L);
        memory.set(INT64, offset + TIME_OFFSET, nanos);
        memory.set(INT64, offset + SITE_OFFSET, (site & 0xFFFF_FFFFL) | (long) thread << 32);
    }

    /** Stamps a frame that is whole with its position, after all else. */
    public static void stamp(MemorySegment memory, long offset, long position) {
        STAMP.setRelease(memory, offset + STAMP_OFFSET, ~position);
    }

    /** Returns whether the frame at {@code offset} was stamped with {@code position}. */
    public static boolean isStamped(MemorySegment memory, long offset, long position) {
        return (long) STAMP.getAcquire(memory, offset + STAMP_OFFSET) == ~position;
    }

    /** Returns the position with which a frame was stamped. */
    public static long position(MemorySegment memory, long offset) {
        return ~memory.get(INT64, offset + STAMP_OFFSET);
    }

    /** Returns the number of the site. */
    public static int site(MemorySegment memory, long offset) {
        return memory.get(INT32, offset + SITE_OFFSET);
    }

    /** Returns the number of the thread. */
    public static int thread(MemorySegment memory, long offset) {
        return memory.get(INT32, offset + THREAD_OFFSET);
    }

    /** Returns the nanoseconds since 1970. */
    public static long nanos(MemorySegment memory, long offset) {
        return memory.get(INT64, offset + TIME_OFFSET);
    }
}
