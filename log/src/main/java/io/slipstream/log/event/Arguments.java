package io.slipstream.log.event;

import org.jspecify.annotations.Nullable;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Puts arguments into frames. Numbers keep their eight bytes, so that boxes which the compiler has made for a call need
 * never exist; every other object becomes text at the call, and what changes afterwards is not logged.
 */
public final class Arguments {
    /** The most characters of a text; what is longer is cut. */
    public static final int MAX_CHARACTERS = 8 << 10;
    /** The most characters of a stack trace. */
    public static final int MAX_TRACE = 32 << 10;

    private static final int HEADER = 5;
    private static final Object WHOLE = new Object();
    private static final Object FLOATING = new Object();

    private Arguments() {
    }

    /** A text with the role that it has: the trace of an exception, or a name of what follows it. */
    record Text(String text, boolean isTrace) {
    }

    /**
     * Returns what stands for a number, or the argument itself. Together with {@link #bits} it is all that is needed of
     * a box; as neither calls anything, the compiler sees that the box is not needed, and does not make it.
     */
    public static @Nullable Object kind(@Nullable Object argument) {
        return argument instanceof Long || argument instanceof Integer ? WHOLE : argument instanceof Double
                ? FLOATING : argument;
    }

    /** Returns the eight bytes of a number; 0 for anything else. */
    public static long bits(@Nullable Object argument) {
        return argument instanceof Long value ? value : argument instanceof Integer value ? value
                : argument instanceof Double value ? Double.doubleToRawLongBits(value) : 0;
    }

    /** Returns the number that kind and bits stand for, or the argument itself. */
    public static @Nullable Object value(@Nullable Object kind, long bits) {
        return kind == WHOLE ? (Object) bits : kind == FLOATING ? (Object) Double.longBitsToDouble(bits) : kind;
    }

    /** Returns the argument as it goes into a frame: a number by its kind, a boolean, a character or a text. */
    public static @Nullable Object prepared(@Nullable Object kind) {
        if (kind == WHOLE || kind == FLOATING || kind instanceof String || kind == null) {
            return kind;
        }
        return preparedRare(kind);
    }

    private static Object preparedRare(Object argument) {
        return switch (argument) {
            case Boolean b -> (Object) b;
            case Short s -> Short.toString(s);
            case Byte b -> Byte.toString(b);
            case Float f -> f;
            case Character c -> c;
            case StringBuilder builder -> builder;
            case Text text -> text;
            case Throwable throwable -> new Text(trace(throwable), true);
            default -> text(argument);
        };
    }

    /** Returns the name of a value that follows as the next argument. */
    public static Object key(String name) {
        return new Text(name, false);
    }

    /** Whoever has a broken {@code toString} finds it named in the log, and the program goes on. */
    public static String text(Object argument) {
        try {
            if (argument instanceof Object[] array) {
                return Arrays.deepToString(array);
            }
            String text = argument.toString();
            return text == null ? "null" : text;
        } catch (Exception | StackOverflowError e) {
            return "[" + argument.getClass().getName() + ".toString threw " + e.getClass().getName() + "]";
        }
    }

    private static String trace(Throwable throwable) {
        try {
            StringWriter writer = new StringWriter();
            throwable.printStackTrace(new PrintWriter(writer));
            return writer.toString();
        } catch (Exception | StackOverflowError e) {
            return "[the trace of " + throwable.getClass().getName() + " cannot be printed: " + e.getClass()
                    .getName() + "]";
        }
    }

    /** Returns how many bytes a prepared argument takes. */
    public static int size(@Nullable Object argument) {
        if (argument == WHOLE || argument == FLOATING) {
            return 9;
        }
        if (argument instanceof String text) {
            return sizeOfText(text, MAX_CHARACTERS);
        }
        return sizeOfRare(argument);
    }

    private static int sizeOfRare(@Nullable Object argument) {
        return switch (argument) {
            case null -> 1;
            case Boolean _ -> 2;
            case Character _ -> 3;
            case Float _ -> 5;
            case Text text -> sizeOfText(text.text, text.isTrace ? MAX_TRACE : MAX_CHARACTERS);
            case CharSequence text -> sizeOfText(text, MAX_CHARACTERS);
            default -> throw new IllegalArgumentException("not prepared: " + argument.getClass());
        };
    }

    private static int sizeOfText(CharSequence text, int most) {
        int length = Math.min(text.length(), most);
        return HEADER + (isAscii(text, length) ? length : 2 * length);
    }

    private static boolean isAscii(CharSequence text, int length) {
        int all = 0;
        for (int i = 0; i < length; i++) {
            all |= text.charAt(i);
        }
        return all < 0x80;
    }

    /** Writes a prepared argument, whose bits count if it is a number, and returns the offset behind it. */
    public static long write(MemorySegment memory, long at, @Nullable Object argument, long bits) {
        if (argument == WHOLE || argument == FLOATING) {
            put(memory, at, argument == WHOLE ? EventLayout.LONG : EventLayout.DOUBLE);
            memory.set(EventLayout.INT64, at + 1, bits);
            return at + 9;
        }
        if (argument instanceof String text) {
            return writeText(memory, at, text, MAX_CHARACTERS, EventLayout.ASCII, EventLayout.WIDE);
        }
        return writeRare(memory, at, argument);
    }

    private static long writeRare(MemorySegment memory, long at, @Nullable Object argument) {
        switch (argument) {
            case null -> {
                put(memory, at, EventLayout.NULL);
                return at + 1;
            }
            case Boolean value -> {
                put(memory, at, EventLayout.BOOLEAN);
                put(memory, at + 1, (byte) (value ? 1 : 0));
                return at + 2;
            }
            case Character value -> {
                put(memory, at, EventLayout.CHAR);
                memory.set(EventLayout.UTF16, at + 1, value);
                return at + 3;
            }
            case Float value -> {
                put(memory, at, EventLayout.FLOAT);
                memory.set(EventLayout.INT32, at + 1, Float.floatToRawIntBits(value));
                return at + 5;
            }
            case Text text when text.isTrace -> {
                return writeText(memory, at, text.text, MAX_TRACE, EventLayout.ASCII_TRACE, EventLayout.WIDE_TRACE);
            }
            case Text text -> {
                return writeText(memory, at, text.text, MAX_CHARACTERS, EventLayout.ASCII_KEY, EventLayout.WIDE_KEY);
            }
            case CharSequence text -> {
                return writeText(memory, at, text, MAX_CHARACTERS, EventLayout.ASCII, EventLayout.WIDE);
            }
            default -> throw new IllegalArgumentException("not prepared: " + argument.getClass());
        }
    }

    private static long writeText(MemorySegment memory, long at, CharSequence text, int most, byte ascii, byte wide) {
        int length = Math.min(text.length(), most);
        boolean narrow = isAscii(text, length);
        put(memory, at, narrow ? ascii : wide);
        memory.set(EventLayout.INT32, at + 1, length);
        long to = at + HEADER;
        if (!narrow) {
            for (int i = 0; i < length; i++) {
                memory.set(EventLayout.UTF16, to + 2L * i, text.charAt(i));
            }
            return to + 2L * length;
        }
        int i = 0;
        for (; i + 8 <= length; i += 8) {
            long word = text.charAt(i) | (long) text.charAt(i + 1) << 8 | (long) text.charAt(i + 2) << 16
                    | (long) text.charAt(i + 3) << 24 | (long) text.charAt(i + 4) << 32 | (long) text.charAt(i
                            + 5) << 40
                    | (long) text.charAt(i + 6) << 48 | (long) text.charAt(i + 7) << 56;
            memory.set(EventLayout.INT64, to + i, word);
        }
        for (; i < length; i++) {
            put(memory, to + i, (byte) text.charAt(i));
        }
        return to + length;
    }

    private static void put(MemorySegment memory, long at, byte value) {
        memory.set(ValueLayout.JAVA_BYTE, at, value);
    }
}
