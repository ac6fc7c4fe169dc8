package io.slipstream.log;

import io.slipstream.log.event.Arguments;
import io.slipstream.log.event.Site;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message that is no statement's, because the program has made it up, as the arguments of an event: the name of its
 * logger, the text cut where its arguments stand in it, and behind it all traces and key-values. For one thread.
 */
final class TextMessage {
    /** What stands where the rest is missing. */
    private static final String CUT = "... [cut]";
    /** The name under which it is told how many traces and key-values are missing. */
    private static final Object LEFT_OUT = Arguments.key("left-out");

    private static final int RESERVED = 64;

    private final List<@Nullable Object> values = new ArrayList<>();
    private final List<@Nullable Object> prepared = new ArrayList<>();
    private final int textSize;
    private int size;

    /**
     * Takes the message with the first {@code count} arguments, each of {@code textSize} characters at most; what takes
     * more than {@code room} bytes in all is cut.
     */
    TextMessage(String logger, String message, @Nullable Object[] arguments, int count, int room, int textSize) {
        this(textSize);
        TextMessage asides = new TextMessage(textSize);
        int plain = asides.takeAsides(arguments, count, room / 2);
        int left = room - asides.size - RESERVED;
        add(logger, left);
        if (!addMessage(message, arguments, plain, left)) {
            add(CUT, left + RESERVED);
        }
        values.addAll(asides.values);
        prepared.addAll(asides.prepared);
        size += asides.size;
    }

    private TextMessage(int textSize) {
        this.textSize = textSize;
    }

    /** Takes traces, and names with their values; returns how many arguments stand before the first one. */
    private int takeAsides(@Nullable Object[] arguments, int count, int room) {
        int first = count;
        long leftOut = 0;
        for (int i = 0; i < count; i++) {
            @Nullable Object argument = prepared(arguments[i]);
            if (!Arguments.isAside(argument)) {
                continue;
            }
            first = Math.min(first, i);
            if (!Arguments.isKey(argument)) {
                leftOut += put(argument, argument, room - RESERVED) ? 0 : 1;
            } else if (++i < count) {
                @Nullable Object value = prepared(arguments[i]);
                if (size + Arguments.size(argument) + Arguments.size(value) <= room - RESERVED) {
                    put(argument, argument, room);
                    put(arguments[i], value, room);
                } else {
                    leftOut++;
                }
            }
        }
        if (leftOut > 0) {
            put(LEFT_OUT, LEFT_OUT, room);
            add(leftOut, room);
        }
        return first;
    }

    /** Returns whether all of it had room. */
    private boolean addMessage(String message, @Nullable Object[] arguments, int count, int room) {
        int from = 0;
        for (int i = 0; i < count; i++) {
            int at = message.indexOf(Site.PLACEHOLDER, from);
            if (at < 0) {
                break;
            }
            if (!addPieces(message, from, at, room) || !add(arguments[i], room)) {
                return false;
            }
            from = at + Site.PLACEHOLDER.length();
        }
        return addPieces(message, from, message.length(), room);
    }

    /** An argument has a limit, so a long text is more than one; the two halves of a character stay together. */
    private boolean addPieces(String message, int from, int to, int room) {
        int most = Math.min(textSize, Arguments.MAX_CHARACTERS);
        for (int at = from; at < to; ) {
            int end = Math.min(to, at + most);
            if (end < to && Character.isHighSurrogate(message.charAt(end - 1))) {
                end--;
            }
            if (!add(message.substring(at, end), room)) {
                return false;
            }
            at = end;
        }
        return true;
    }

    private boolean add(@Nullable Object value, int room) {
        return put(value, prepared(value), room);
    }

    private boolean put(@Nullable Object value, @Nullable Object ready, int room) {
        int more = Arguments.size(ready);
        if (size + more > room) {
            return false;
        }
        values.add(value);
        prepared.add(ready);
        size += more;
        return true;
    }

    private @Nullable Object prepared(@Nullable Object value) {
        // A copy does not change, whatever other threads do.
        return Arguments.prepared(
                value instanceof StringBuilder builder ? Arguments.text(builder) : Arguments.kind(value), textSize);
    }

    /** Returns the bytes of all arguments. */
    int size() {
        return size;
    }

    /** Writes the arguments, which take {@link #size} bytes. */
    void write(MemorySegment memory, long offset) {
        long at = offset;
        for (int i = 0; i < prepared.size(); i++) {
            at = Arguments.write(memory, at, offset + size, prepared.get(i), Arguments.bits(values.get(i)));
        }
    }
}
