package io.slipstream.log.event;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Puts arguments into frames. Numbers keep their eight bytes, so that boxes which the compiler has made for a call need
 * never exist; every other object becomes text at the call, and what changes afterwards is not logged.
 */
public final class Arguments {
    /** The most characters of a text if nothing else is said; what is longer is cut, with a mark. */
    public static final int MAX_CHARACTERS = 8 << 10;
    /** The most characters of a stack trace, unless texts may have more. */
    public static final int MAX_TRACE = 32 << 10;

    private static final int HEADER = 5;
    private static final Object WHOLE = new Object();
    private static final Object FLOATING = new Object();
    private static final Object SINGLE = new Object();
    private static final Object LETTER = new Object();

    private Arguments() {}

    /**
     * Lets the JVM link what calls need, once, when a log is opened. A call site whose first call finds the stack used
     * up would fail at every later call too, however much stack that has.
     */
    public static void link() {
        Object broken = new Object() {
            @Override
            public String toString() {
                throw new UnsupportedOperationException();
            }
        };
        Throwable unprintable = new Exception(null, null, false, false) {
            private static final long serialVersionUID = 1;

            @Override
            public String toString() {
                throw new UnsupportedOperationException();
            }
        };
        String tooLong = "x".repeat(MAX_CHARACTERS + 1);
        for (Object argument : new Object[] {true, new StringBuilder(), key(""), unprintable, broken, tooLong}) {
            Object ready = prepared(argument);
            byte[] bytes = new byte[size(ready)];
            write(MemorySegment.ofArray(bytes), 0, bytes.length, ready, 0);
        }
    }

    /** A text with the role that it has: the trace of an exception, or a name of what follows it. */
    record Text(String text, boolean isTrace) {
        /** A trace may have {@link #MAX_TRACE} characters, also where other texts may not. */
        Text upTo(int most) {
            int limit = isTrace ? Math.max(MAX_TRACE, most) : most;
            return text.length() > limit ? new Text(cut(text, limit), isTrace) : this;
        }
    }

    /**
     * Returns what stands for a number, or the argument itself. Together with {@link #bits} this is all that is needed
     * of a box; as neither calls anything, the compiler sees that the box is not needed, and does not make it. Both
     * are as short as they can be: a call of three arguments that takes more than 2,500 bytes once it is compiled is
     * never put into its callers, where the boxes are made. So a {@link Byte} and a {@link Short} are not looked for;
     * the JVM keeps the boxes of small ones.
     */
    public static @Nullable Object kind(@Nullable Object argument) {
        if (argument instanceof Long || argument instanceof Integer) {
            return WHOLE;
        }
        if (argument instanceof Double) {
            return FLOATING;
        }
        return argument instanceof Float ? SINGLE : argument instanceof Character ? LETTER : argument;
    }

    /** Returns the kind of a whole number. */
    public static Object whole() {
        return WHOLE;
    }

    /** Returns the kind of a number of double precision. */
    public static Object floating() {
        return FLOATING;
    }

    /** Returns the kind of a number of single precision. */
    public static Object single() {
        return SINGLE;
    }

    /** Returns the kind of a character. */
    public static Object letter() {
        return LETTER;
    }

    /** Returns the eight bytes of a number that has a {@link #kind}; 0 for anything else. */
    public static long bits(@Nullable Object argument) {
        if (argument instanceof Long value) {
            return value;
        }
        if (argument instanceof Integer value) {
            return value;
        }
        if (argument instanceof Double value) {
            return Double.doubleToRawLongBits(value);
        }
        if (argument instanceof Float value) {
            return Float.floatToRawIntBits(value);
        }
        return argument instanceof Character value ? value : 0;
    }

    /** Returns the number that kind and bits stand for, or the argument itself. */
    public static @Nullable Object value(@Nullable Object kind, long bits) {
        if (kind == WHOLE) {
            return bits;
        }
        if (kind == FLOATING) {
            return Double.longBitsToDouble(bits);
        }
        if (kind == SINGLE) {
            return Float.intBitsToFloat((int) bits);
        }
        return kind == LETTER ? (Object) (char) bits : kind;
    }

    /** As {@link #prepared(Object, int)}, with texts of {@link #MAX_CHARACTERS} at most. */
    public static @Nullable Object prepared(@Nullable Object kind) {
        return prepared(kind, MAX_CHARACTERS);
    }

    /**
     * Returns the argument as it goes into a frame: a number by its kind, a boolean, a character or a text, which is
     * cut to {@code most} characters.
     */
    public static @Nullable Object prepared(@Nullable Object kind, int most) {
        if (kind == WHOLE || kind == FLOATING || kind == null || kind instanceof String text && text.length() <= most) {
            return kind;
        }
        return preparedRare(kind, most);
    }

    private static Object preparedRare(Object argument, int most) {
        if (argument == SINGLE || argument == LETTER) {
            return argument;
        }
        return switch (argument) {
            case Boolean b -> (Object) b;
            case Short number -> number;
            case Byte number -> number;
            case StringBuilder builder -> builder.length() > most ? cut(builder, most) : builder;
            case Text text -> text.upTo(most);
            case Throwable throwable -> new Text(trace(throwable), true).upTo(most);
            default -> {
                String text = text(argument);
                yield text.length() > most ? cut(text, most) : text;
            }
        };
    }

    /** Returns the name of a value that follows as the next argument. */
    public static Object key(String name) {
        return new Text(name, false);
    }

    /** Returns whether a prepared argument is a trace or a name, which stand in no placeholder. */
    public static boolean isAside(@Nullable Object prepared) {
        return prepared instanceof Text;
    }

    /** Returns whether a prepared argument is the name of the value that follows. */
    public static boolean isKey(@Nullable Object prepared) {
        return prepared instanceof Text text && !text.isTrace;
    }

    /** Whoever has a broken {@code toString} finds it named in the log, and the program goes on. */
    public static String text(@Nullable Object argument) {
        if (argument == null) {
            return "null";
        }
        try {
            if (argument.getClass().isArray()) {
                String inBrackets = Arrays.deepToString(new Object[] {argument});
                return inBrackets.substring(1, inBrackets.length() - 1);
            }
            String text = argument.toString();
            return text == null ? "null" : text;
        } catch (Throwable e) {
            return "[" + argument.getClass().getName() + ".toString threw "
                    + e.getClass().getName() + "]";
        }
    }

    private static String trace(Throwable throwable) {
        try {
            StringWriter writer = new StringWriter();
            throwable.printStackTrace(new PrintWriter(writer));
            return writer.toString();
        } catch (Throwable e) {
            return "[the trace of " + throwable.getClass().getName() + " cannot be printed: "
                    + e.getClass().getName() + "]";
        }
    }

    /** Returns how many bytes a prepared argument takes. */
    public static int size(@Nullable Object argument) {
        if (argument == WHOLE || argument == FLOATING) {
            return 9;
        }
        if (argument instanceof String text) {
            return sizeOfText(text);
        }
        return sizeOfRare(argument);
    }

    private static int sizeOfRare(@Nullable Object argument) {
        if (argument == SINGLE || argument == LETTER) {
            return argument == SINGLE ? 5 : 3;
        }
        return switch (argument) {
            case null -> 1;
            case Boolean _ -> 2;
            case Short _, Byte _ -> 9;
            case Text text -> sizeOfText(text.text);
            case CharSequence text -> sizeOfText(text);
            default -> throw new IllegalArgumentException("not prepared: " + argument.getClass());
        };
    }

    private static int sizeOfText(CharSequence text) {
        int length = text.length();
        return HEADER + (isAscii(text, length) ? length : 2 * length);
    }

    /** Returns the beginning and a mark, {@code most} characters, which part no two halves of a character. */
    private static String cut(CharSequence text, int most) {
        int length = text.length();
        int left = most - mark(length).length();
        StringBuilder cut = new StringBuilder(most).append(text, 0, left);
        if (Character.isHighSurrogate(cut.charAt(left - 1))) {
            cut.setCharAt(left - 1, '.');
        }
        cut.append(mark(length - left));
        if (cut.length() < most) {
            // The number has a digit less.
            cut.append('.');
        }
        return cut.toString();
    }

    /** Made without a concatenation, which the JVM would have to link, see {@link #link}. */
    private static StringBuilder mark(int characters) {
        return new StringBuilder("... [").append(characters).append(" more characters]");
    }

    private static boolean isAscii(CharSequence text, int length) {
        int all = 0;
        for (int i = 0; i < length; i++) {
            all |= text.charAt(i);
        }
        return all < 0x80;
    }

    /**
     * Writes a prepared argument, whose bits count if it is a number, and returns the offset behind it.
     *
     * @throws IllegalStateException if it does not fit before {@code end}: a text has grown since its size was asked
     */
    public static long write(MemorySegment memory, long at, long end, @Nullable Object argument, long bits) {
        if (argument == WHOLE || argument == FLOATING) {
            return writeNumber(memory, at, end, argument == WHOLE ? EventLayout.LONG : EventLayout.DOUBLE, bits);
        }
        if (argument instanceof String text) {
            return writeText(memory, at, end, text, EventLayout.ASCII, EventLayout.WIDE);
        }
        return writeRare(memory, at, end, argument, bits);
    }

    /** Marks the end of the arguments, if they take less than they were to. */
    public static void end(MemorySegment memory, long at, long end) {
        if (at < end) {
            put(memory, at, EventLayout.END);
        }
    }

    private static void requireRoom(long at, long bytes, long end) {
        if (bytes > end - at) {
            throw new IllegalStateException("an argument has changed while it was logged");
        }
    }

    private static long writeRare(MemorySegment memory, long at, long end, @Nullable Object argument, long bits) {
        if (argument == SINGLE) {
            requireRoom(at, 5, end);
            put(memory, at, EventLayout.FLOAT);
            memory.set(EventLayout.INT32, at + 1, (int) bits);
            return at + 5;
        }
        if (argument == LETTER) {
            requireRoom(at, 3, end);
            put(memory, at, EventLayout.CHAR);
            memory.set(EventLayout.UTF16, at + 1, (char) bits);
            return at + 3;
        }
        switch (argument) {
            case null -> {
                requireRoom(at, 1, end);
                put(memory, at, EventLayout.NULL);
                return at + 1;
            }
            case Boolean value -> {
                requireRoom(at, 2, end);
                put(memory, at, EventLayout.BOOLEAN);
                put(memory, at + 1, (byte) (value ? 1 : 0));
                return at + 2;
            }
            case Short number -> {
                return writeNumber(memory, at, end, EventLayout.LONG, number);
            }
            case Byte number -> {
                return writeNumber(memory, at, end, EventLayout.LONG, number);
            }
            case Text text
            when text.isTrace -> {
                return writeText(memory, at, end, text.text, EventLayout.ASCII_TRACE, EventLayout.WIDE_TRACE);
            }
            case Text text -> {
                return writeText(memory, at, end, text.text, EventLayout.ASCII_KEY, EventLayout.WIDE_KEY);
            }
            case CharSequence text -> {
                return writeText(memory, at, end, text, EventLayout.ASCII, EventLayout.WIDE);
            }
            default -> throw new IllegalArgumentException("not prepared: " + argument.getClass());
        }
    }

    private static long writeNumber(MemorySegment memory, long at, long end, byte type, long bits) {
        requireRoom(at, 9, end);
        put(memory, at, type);
        memory.set(EventLayout.INT64, at + 1, bits);
        return at + 9;
    }

    private static long writeText(MemorySegment memory, long at, long end, CharSequence text, byte ascii, byte wide) {
        int length = text.length();
        boolean narrow = isAscii(text, length);
        requireRoom(at, HEADER + (narrow ? length : 2L * length), end);
        put(memory, at, narrow ? ascii : wide);
        memory.set(EventLayout.INT32, at + 1, length);
        long to = at + HEADER;
        if (!narrow) {
            for (int i = 0; i < length; i++) {
                memory.set(EventLayout.UTF16, to + 2L * i, text.charAt(i));
            }
            return to + 2L * length;
        }
        writeAscii(memory, to, text, length);
        return to + length;
    }

    private static void writeAscii(MemorySegment memory, long to, CharSequence text, int length) {
        long all = 0;
        int i = 0;
        for (; i + 8 <= length; i += 8) {
            long low = text.charAt(i)
                    | (long) text.charAt(i + 1) << 16
                    | (long) text.charAt(i + 2) << 32
                    | (long) text.charAt(i + 3) << 48;
            long high = text.charAt(i + 4)
                    | (long) text.charAt(i + 5) << 16
                    | (long) text.charAt(i + 6) << 32
                    | (long) text.charAt(i + 7) << 48;
            all |= low | high;
            memory.set(EventLayout.INT64, to + i, narrow(low) | narrow(high) << 32);
        }
        for (; i < length; i++) {
            all |= text.charAt(i);
            put(memory, to + i, (byte) text.charAt(i));
        }
        requireAscii(all);
    }

    /** Moves the lower bytes of four characters together. */
    private static long narrow(long characters) {
        long pairs = (characters | characters >>> 8) & 0x0000_FFFF_0000_FFFFL;
        return (pairs | pairs >>> 16) & 0xFFFF_FFFFL;
    }

    /** Another thread may have put other characters into the text since it was looked through. */
    private static void requireAscii(long characters) {
        if ((characters & 0xFF80_FF80_FF80_FF80L) != 0) {
            throw new IllegalStateException("an argument has changed while it was logged");
        }
    }

    private static void put(MemorySegment memory, long at, byte value) {
        memory.set(ValueLayout.JAVA_BYTE, at, value);
    }
}
