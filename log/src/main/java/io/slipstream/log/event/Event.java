package io.slipstream.log.event;

import io.slipstream.data.text.TextBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A flyweight over the frame of an event. It is for one thread; the bytes may be anything, and are never read outside
 * the frame.
 */
public final class Event {
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};
    private static final byte[] PLACEHOLDER = {'{', '}'};

    /** Parts of no statement: the event has its message in its own arguments. */
    public static final byte[][] OWN_MESSAGE = {};

    private MemorySegment memory = MemorySegment.NULL;
    private long offset;
    private long end;
    private long at;
    private byte tag;
    private int length;
    private long rest;

    /** Creates one; {@link #wrap} comes first. */
    public Event() {}

    /** Stands on the frame at {@code offset} with {@code length} bytes, before its first argument. */
    public Event wrap(MemorySegment newMemory, long newOffset, int newLength) {
        memory = newMemory;
        offset = newOffset;
        end = newOffset + newLength;
        rewind();
        return this;
    }

    /** Returns whether the frame is long enough to be an event. */
    public boolean isWhole() {
        return end - offset >= EventLayout.ARGUMENTS_OFFSET;
    }

    /** Goes back to before the first argument. */
    public void rewind() {
        at = offset + EventLayout.ARGUMENTS_OFFSET;
        rest = at;
    }

    /** Goes to behind the arguments that {@link #appendMessage} took last: no trace and no key is before. */
    public void toRest() {
        at = rest;
    }

    /** Returns the nanoseconds since 1970. */
    public long nanos() {
        return EventLayout.nanos(memory, offset);
    }

    /** Returns the number of the site. */
    public int site() {
        return EventLayout.site(memory, offset);
    }

    /** Returns the number of the thread. */
    public int thread() {
        return EventLayout.thread(memory, offset);
    }

    /** Goes to the next argument; false if there is none, or the bytes are none. */
    public boolean next() {
        if (at >= end) {
            return false;
        }
        tag = memory.get(ValueLayout.JAVA_BYTE, at++);
        length = switch (tag) {
            case EventLayout.NULL -> 0;
            case EventLayout.LONG, EventLayout.DOUBLE -> 8;
            case EventLayout.FLOAT -> 4;
            case EventLayout.BOOLEAN -> 1;
            case EventLayout.CHAR -> 2;
            case EventLayout.ASCII, EventLayout.ASCII_KEY, EventLayout.ASCII_TRACE -> textLength(1);
            case EventLayout.WIDE, EventLayout.WIDE_KEY, EventLayout.WIDE_TRACE -> textLength(2);
            default -> -1;
        };
        if (length < 0 || length > end - at) {
            at = end;
            return false;
        }
        at += length;
        return true;
    }

    private int textLength(int width) {
        if (end - at < 4) {
            return -1;
        }
        int characters = memory.get(EventLayout.INT32, at);
        at += 4;
        return characters < 0 || characters > Integer.MAX_VALUE / 2 ? -1 : characters * width;
    }

    /** Returns whether the argument is the trace of an exception. */
    public boolean isTrace() {
        return tag == EventLayout.ASCII_TRACE || tag == EventLayout.WIDE_TRACE;
    }

    /** Returns whether the argument is the name of the one that follows. */
    public boolean isKey() {
        return tag == EventLayout.ASCII_KEY || tag == EventLayout.WIDE_KEY;
    }

    /** Returns whether the argument is a number or a boolean, which JSON does not quote. */
    public boolean isBare() {
        return switch (tag) {
            case EventLayout.LONG, EventLayout.BOOLEAN, EventLayout.NULL -> true;
            case EventLayout.DOUBLE ->
                Double.isFinite(Double.longBitsToDouble(memory.get(EventLayout.INT64, at - length)));
            case EventLayout.FLOAT -> Float.isFinite(Float.intBitsToFloat(memory.get(EventLayout.INT32, at - length)));
            default -> false;
        };
    }

    /** Appends the argument as text. */
    public void appendTo(TextBuffer text) {
        long from = at - length;
        switch (tag) {
            case EventLayout.NULL -> text.append(NULL, 0, NULL.length);
            case EventLayout.LONG -> text.append(memory.get(EventLayout.INT64, from));
            case EventLayout.DOUBLE -> text.append(Double.longBitsToDouble(memory.get(EventLayout.INT64, from)));
            case EventLayout.FLOAT ->
                text.append(Float.toString(Float.intBitsToFloat(memory.get(EventLayout.INT32, from))));
            case EventLayout.BOOLEAN -> text.append(memory.get(ValueLayout.JAVA_BYTE, from) != 0);
            case EventLayout.CHAR -> text.append(memory.get(EventLayout.UTF16, from));
            case EventLayout.ASCII, EventLayout.ASCII_KEY, EventLayout.ASCII_TRACE ->
                text.append(memory, from, from + length);
            default -> appendWide(text, from);
        }
    }

    private void appendWide(TextBuffer text, long from) {
        char[] characters = new char[length / 2];
        for (int i = 0; i < characters.length; i++) {
            characters[i] = memory.get(EventLayout.UTF16, from + 2L * i);
        }
        text.append(new String(characters));
    }

    /** Appends the message with its arguments in place of the placeholders; stays behind the last one taken. */
    public void appendMessage(byte[][] parts, TextBuffer text) {
        rewind();
        if (parts.length == 0) {
            appendOwnMessage(text);
            return;
        }
        text.append(parts[0], 0, parts[0].length);
        boolean more = true;
        for (int i = 1; i < parts.length; i++) {
            long before = at;
            more = more && next();
            if (more && !isTrace() && !isKey()) {
                appendTo(text);
            } else {
                if (more) {
                    at = before;
                    more = false;
                }
                text.append(PLACEHOLDER, 0, PLACEHOLDER.length);
            }
            text.append(parts[i], 0, parts[i].length);
        }
        rest = at;
    }

    private void appendOwnMessage(TextBuffer text) {
        next();
        long before = at;
        while (next() && !isTrace() && !isKey()) {
            appendTo(text);
            before = at;
        }
        at = before;
        rest = before;
    }

    /** Appends the name of the logger, which stands first in an event that has its own message. */
    public void appendLogger(TextBuffer text) {
        rewind();
        if (next()) {
            appendTo(text);
        }
        rewind();
    }
}
