package io.slipstream.keyvalue.resp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes an answer in RESP2 or RESP3 into memory that grows and is used again; for one thread. What would make it
 * longer than its limit is not written, but throws {@link RedisError#ANSWER_TOO_LONG}: whoever takes something away
 * writes it first, and takes it away then.
 */
public final class Reply {
    private static final int MAX_BYTES = Integer.MAX_VALUE - 8;

    private static final int FIRST_BYTES = 1024;

    /* A kind, 20 digits with their sign, and two ends of a line: that of the head and that of what follows. */
    private static final int MOST_HEAD_BYTES = 26;

    /* What is larger is not kept for the next answer. */
    private static final int KEPT_BYTES = 1 << 20;

    private byte[] bytes = new byte[FIRST_BYTES];
    private MemorySegment memory = MemorySegment.ofArray(bytes);
    private int length;
    private int protocol = 2;
    private int limit = Integer.MAX_VALUE;

    /** Creates an empty answer. */
    public Reply() {}

    /** Begins an answer in that version of the protocol, of any length. */
    public Reply begin(int version) {
        if (bytes.length > KEPT_BYTES) {
            bytes = new byte[FIRST_BYTES];
            memory = MemorySegment.ofArray(bytes);
        }
        length = 0;
        protocol = version;
        limit = Integer.MAX_VALUE;
        return this;
    }

    /** Sets how long the answer may become, in bytes. */
    public Reply limit(int newLimit) {
        limit = newLimit;
        return this;
    }

    /** Returns how long the answer may become, in bytes. */
    public int limit() {
        return limit;
    }

    /** Checks that the answer may become longer by {@code more} bytes. */
    public void require(long more) {
        if (more > limit - length) {
            throw RedisError.ANSWER_TOO_LONG;
        }
    }

    /** Returns whether this is RESP3. */
    public boolean isThird() {
        return protocol == 3;
    }

    /** Returns what was written; valid until more is. */
    public MemorySegment memory() {
        return memory;
    }

    /** Returns how many bytes were written. */
    public int length() {
        return length;
    }

    /** Takes back what was written beyond {@code newLength} bytes. */
    public void truncate(int newLength) {
        length = newLength;
    }

    /** Writes {@code +OK}. */
    public Reply ok() {
        return simple("OK");
    }

    /** Writes a line. */
    public Reply simple(String text) {
        return line('+', text);
    }

    /** Writes an error. */
    public Reply error(String text) {
        return line('-', text);
    }

    /** Writes a number. */
    public Reply integer(long value) {
        return header(':', value);
    }

    /** Writes 1 or 0. */
    public Reply flag(boolean value) {
        return integer(value ? 1 : 0);
    }

    /** Writes that there is nothing. */
    public Reply nothing() {
        return raw(protocol == 3 ? "_\r\n" : "$-1\r\n");
    }

    /** Writes that there is no list. */
    public Reply noArray() {
        return raw(protocol == 3 ? "_\r\n" : "*-1\r\n");
    }

    /** Writes a value. */
    public Reply bulk(MemorySegment from, long offset, int size) {
        int at = beginBulk(size);
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, offset, bytes, at, size);
        return end(at + size);
    }

    /** Writes a value. */
    public Reply bulk(byte[] value) {
        int at = beginBulk(value.length);
        System.arraycopy(value, 0, bytes, at, value.length);
        return end(at + value.length);
    }

    /** Writes the head of a value, for all of which there is room, and returns where it begins. */
    private int beginBulk(int size) {
        require(size + 2L);
        room(size + MOST_HEAD_BYTES);
        int at = head('$', size);
        if (at + size + 2L > limit) {
            throw RedisError.ANSWER_TOO_LONG;
        }
        return at;
    }

    /** Writes a value. */
    public Reply bulk(String text) {
        return bulk(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a text that RESP3 shows as it is. */
    public Reply verbatim(String text) {
        return protocol == 3
                ? raw("=" + (text.getBytes(StandardCharsets.UTF_8).length + 4) + "\r\ntxt:" + text + "\r\n")
                : bulk(text);
    }

    /** Writes a number with a fraction. */
    public Reply fraction(double value) {
        return protocol == 3 ? raw("," + Numbers.format(value) + "\r\n") : bulk(Numbers.format(value));
    }

    /** Begins a list of so many. */
    public Reply array(long size) {
        return header('*', size);
    }

    /** Begins a set of so many. */
    public Reply set(long size) {
        return header(protocol == 3 ? '~' : '*', size);
    }

    /** Begins a map of so many pairs. */
    public Reply map(long pairs) {
        return protocol == 3 ? header('%', pairs) : header('*', 2 * pairs);
    }

    /** Begins a message that nobody asked for. */
    public Reply push(long size) {
        return header(protocol == 3 ? '>' : '*', size);
    }

    /** Writes bytes that are an answer already. */
    public Reply raw(MemorySegment from, long offset, int size) {
        require(size);
        room(size);
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, offset, bytes, length, size);
        length += size;
        return this;
    }

    private Reply raw(String text) {
        byte[] ascii = text.getBytes(StandardCharsets.UTF_8);
        require(ascii.length);
        room(ascii.length);
        System.arraycopy(ascii, 0, bytes, length, ascii.length);
        length += ascii.length;
        return this;
    }

    @SuppressWarnings("deprecation") // The fastest way from a text of plain letters to bytes.
    private Reply line(char kind, String text) {
        int size = text.length();
        room(size + 3);
        bytes[length++] = (byte) kind;
        text.getBytes(0, size, bytes, length);
        for (int i = length; i < length + size; i++) {
            if (bytes[i] == '\r' || bytes[i] == '\n') {
                bytes[i] = ' ';
            }
        }
        end(length + size);
        require(0);
        return this;
    }

    private Reply header(char kind, long value) {
        room(MOST_HEAD_BYTES);
        length = head(kind, value);
        require(0);
        return this;
    }

    /** Writes a number and the end of its line, for which there is room, and returns what follows. */
    private int head(char kind, long value) {
        int at = length;
        bytes[at++] = (byte) kind;
        if (value >= 0 && value < 10) {
            bytes[at++] = (byte) ('0' + value);
        } else if (value >= 10 && value < 100) {
            int tens = (int) value / 10;
            bytes[at++] = (byte) ('0' + tens);
            bytes[at++] = (byte) ('0' + (int) value - 10 * tens);
        } else {
            at = digits(at, value);
        }
        bytes[at] = '\r';
        bytes[at + 1] = '\n';
        return at + 2;
    }

    private int digits(int from, long value) {
        int size = value < 0 ? 1 : 0;
        for (long rest = value; rest != 0; rest /= 10) {
            size++;
        }
        if (value < 0) {
            bytes[from] = '-';
        }
        int at = from + size;
        for (long rest = value; rest != 0; rest /= 10) {
            bytes[--at] = (byte) ('0' + Math.abs(rest % 10));
        }
        return from + size;
    }

    /** Ends the line that has come to there; there is room. */
    private Reply end(int at) {
        bytes[at] = '\r';
        bytes[at + 1] = '\n';
        length = at + 2;
        return this;
    }

    private void room(int more) {
        if (bytes.length - length < more) {
            int doubled = (int) Math.min(2L * bytes.length, Math.min(limit, MAX_BYTES));
            bytes = Arrays.copyOf(bytes, Math.max(doubled, Math.addExact(length, more)));
            memory = MemorySegment.ofArray(bytes);
        }
    }
}
