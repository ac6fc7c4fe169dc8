package io.slipstream.keyvalue.resp;

import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.service.protocol.Message;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The words of a command where they lie: in what was read from a socket, or in the payload of a message. Word 0 is the
 * command's name in the first and its first argument in the second.
 *
 * <pre>
 *   payload   0 command (short)   2 protocol (byte)   3 database (4 bits), class of values (4 bits)   4 words (int)
 *             8 time of a query (ms)
 *             16 lengths (ints)   words
 * </pre>
 */
public final class Words {
    /** How many databases there are. */
    public static final int DATABASES = 16;

    /** The classes of values are from 0, for 256 KiB, to this one, for 64 MiB; see {@link #maxValue}. */
    private static final int LAST_CLASS = 8;

    /** How many bytes a string may have where frames have less than 1 MiB. */
    public static final int DEFAULT_MAX_VALUE = maxValue(0);

    /** How many bytes a string, a key or an element may have at most, since no answer has room for more. */
    static final int LONGEST_VALUE = maxValue(LAST_CLASS);

    private static final int VALUE_OVERHEAD = 1 << 15;

    private static final int DATABASE = 3;
    private static final int COUNT = 4;
    private static final int TIME = 8;
    /** Length of a payload without words. */
    static final int HEADER_BYTES = 16;

    private MemorySegment memory = MemorySegment.NULL;
    private long base;
    private long[] offsets = new long[64];
    private int[] lengths = new int[64];
    private int count;
    private long payloadOffset;
    private int payloadLength;

    /** Creates an empty list. */
    public Words() {}

    void begin(MemorySegment in) {
        begin(in, 0);
    }

    /** Begins a list whose words are told by where they are behind {@code from}. */
    void begin(MemorySegment in, long from) {
        move(in, from);
        count = 0;
    }

    /** The words that are here already lie elsewhere now: in {@code in}, counted from {@code from} on. */
    void move(MemorySegment in, long from) {
        memory = in;
        base = from;
    }

    void add(long offset, int length) {
        if (count == lengths.length) {
            offsets = Arrays.copyOf(offsets, 2 * count);
            lengths = Arrays.copyOf(lengths, 2 * count);
        }
        offsets[count] = offset;
        lengths[count++] = length;
    }

    /** Takes words that lie apart, behind an empty one in place of the command's name. */
    void take(List<byte[]> all) {
        byte[] together = new byte[all.stream().mapToInt(each -> each.length).sum()];
        begin(MemorySegment.ofArray(together));
        add(0, 0);
        int at = 0;
        for (byte[] each : all) {
            System.arraycopy(each, 0, together, at, each.length);
            add(at, each.length);
            at += each.length;
        }
    }

    /** Reads the payload at {@code offset}; a word that is not within {@code length} is no payload of ours. */
    public void read(MemorySegment in, long offset, int length) {
        begin(in);
        payloadOffset = offset;
        payloadLength = length;
        int words = in.get(ValueLayout.JAVA_INT_UNALIGNED, offset + COUNT);
        if (words < 0 || words > (length - HEADER_BYTES) / Integer.BYTES) {
            throw new IllegalArgumentException("there are no " + words + " words within the payload");
        }
        long at = offset + HEADER_BYTES + 4L * words;
        for (int i = 0; i < words; i++) {
            int bytes = in.get(ValueLayout.JAVA_INT_UNALIGNED, offset + HEADER_BYTES + 4L * i);
            if (bytes < 0 || at + bytes > offset + length) {
                throw new IllegalArgumentException("word " + i + " is not within the payload");
            }
            add(at, bytes);
            at += bytes;
        }
    }

    /** Returns the length of the first word of what may be a payload at {@code offset}; -1 if there is none. */
    public static int firstLength(MemorySegment in, long offset, int length) {
        if (length < HEADER_BYTES + Integer.BYTES) {
            return -1;
        }
        int words = in.get(ValueLayout.JAVA_INT_UNALIGNED, offset + COUNT);
        int bytes = in.get(ValueLayout.JAVA_INT_UNALIGNED, offset + HEADER_BYTES);
        boolean isWithin = words > 0 && bytes >= 0 && HEADER_BYTES + 4L * words + bytes <= length;
        return isWithin ? bytes : -1;
    }

    /** Returns the length of the second word, if the first has {@code first} bytes; -1 if there is none. */
    public static int secondLength(MemorySegment in, long offset, int length, int first) {
        int words = in.get(ValueLayout.JAVA_INT_UNALIGNED, offset + COUNT);
        if (words < 2) {
            return -1;
        }
        int bytes = in.get(ValueLayout.JAVA_INT_UNALIGNED, offset + HEADER_BYTES + Integer.BYTES);
        return bytes >= 0 && HEADER_BYTES + 4L * words + first + bytes <= length ? bytes : -1;
    }

    /** Returns where the first word of the payload at {@code offset} begins; the second one is behind it. */
    public static long firstOffset(MemorySegment in, long offset) {
        return offset + HEADER_BYTES + 4L * in.get(ValueLayout.JAVA_INT_UNALIGNED, offset + COUNT);
    }

    /** Returns the command of the payload at {@code offset}. */
    public static RedisCommand command(MemorySegment in, long offset, int length) {
        if (length < HEADER_BYTES) {
            throw new IllegalArgumentException("a payload has at least " + HEADER_BYTES + " bytes, not " + length);
        }
        return RedisCommand.of(in.get(ValueLayout.JAVA_SHORT_UNALIGNED, offset));
    }

    /** Returns the version of the protocol, 2 or 3, that the payload at {@code offset} is to be answered in. */
    public static int protocol(MemorySegment in, long offset) {
        return in.get(ValueLayout.JAVA_BYTE, offset + 2);
    }

    /** Returns the number of the database that the command of the payload at {@code offset} is for. */
    public static int database(MemorySegment in, long offset) {
        return in.get(ValueLayout.JAVA_BYTE, offset + DATABASE) & DATABASES - 1;
    }

    /**
     * Returns how many bytes a string may have that the command of the payload at {@code offset} makes. The gateway
     * says so, by how long its commands may be; since it is in the payload, a replay knows it too.
     *
     * @throws IllegalArgumentException if that is no class of values
     */
    public static int maxValue(MemorySegment in, long offset) {
        int valueClass = (in.get(ValueLayout.JAVA_BYTE, offset + DATABASE) & 0xFF) >>> 4;
        if (valueClass > LAST_CLASS) {
            throw new IllegalArgumentException("there is no class of values " + valueClass);
        }
        return maxValue(valueClass);
    }

    /** Returns whether a word has more bytes. */
    boolean isOneLongerThan(int bytes) {
        for (int i = 0; i < count; i++) {
            if (lengths[i] > bytes) {
                return true;
            }
        }
        return false;
    }

    /** An answer with it must fit into a message, or into the pieces of the longest answer. */
    private static int maxValue(int valueClass) {
        return (Message.MAX_OUTPUT_BYTES << valueClass) - Message.HEADER_BYTES - 64;
    }

    /** Returns the class of the longest values for payloads of at most {@code mostBytes}. */
    static int valueClass(int mostBytes) {
        int valueClass = 0;
        while (valueClass < LAST_CLASS && (Message.MAX_OUTPUT_BYTES << valueClass + 1) + VALUE_OVERHEAD <= mostBytes) {
            valueClass++;
        }
        return valueClass;
    }

    /** Returns when the query of the payload at {@code offset} was asked, in milliseconds since 1970. */
    public static long timeMillis(MemorySegment in, long offset) {
        return in.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + TIME);
    }

    /** Returns a hash of word {@code i} in upper case. */
    int upperHash(int i) {
        int hash = 0;
        for (int at = 0; at < lengths[i]; at++) {
            int letter = memory.get(ValueLayout.JAVA_BYTE, base + offsets[i] + at);
            hash = 31 * hash + (letter >= 'a' && letter <= 'z' ? letter - 32 : letter);
        }
        return hash;
    }

    /** Returns the length of a payload with all words but the first. */
    long payloadBytes() {
        long bytes = HEADER_BYTES;
        for (int i = 1; i < count; i++) {
            bytes += bytesAsWord(lengths[i]);
        }
        return bytes;
    }

    /** Returns by how much a payload grows with a word of that length. */
    static long bytesAsWord(long length) {
        return Integer.BYTES + length;
    }

    /** Writes a payload with all words but the first; {@code timeMillis} is that of a query, else 0. */
    void writePayload(
            RedisCommand command,
            int protocol,
            int database,
            int valueClass,
            long timeMillis,
            MemorySegment to,
            long offset) {
        to.set(ValueLayout.JAVA_SHORT_UNALIGNED, offset, (short) command.ordinal());
        to.set(ValueLayout.JAVA_BYTE, offset + 2, (byte) protocol);
        to.set(ValueLayout.JAVA_BYTE, offset + DATABASE, (byte) (database | valueClass << 4));
        to.set(ValueLayout.JAVA_INT_UNALIGNED, offset + COUNT, count - 1);
        to.set(ValueLayout.JAVA_LONG_UNALIGNED, offset + TIME, timeMillis);
        long at = offset + HEADER_BYTES + 4L * (count - 1);
        for (int i = 1; i < count; i++) {
            to.set(ValueLayout.JAVA_INT_UNALIGNED, offset + HEADER_BYTES + 4L * (i - 1), lengths[i]);
            MemorySegment.copy(memory, offset(i), to, at, lengths[i]);
            at += lengths[i];
        }
    }

    /** Returns a copy of the payload that was read. */
    public byte[] payload() {
        return Bytes.copy(memory, payloadOffset, payloadLength);
    }

    /** Returns a copy of the payload that was read, with {@code others} in place of the words from {@code first} on. */
    public byte[] payload(int first, List<byte[]> others) {
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < first; i++) {
            all.add(bytes(i));
        }
        all.addAll(others);
        int bytes = all.stream().mapToInt(each -> Integer.BYTES + each.length).sum();
        byte[] changed = new byte[HEADER_BYTES + bytes];
        MemorySegment to = MemorySegment.ofArray(changed);
        MemorySegment.copy(memory, payloadOffset, to, 0, HEADER_BYTES);
        to.set(ValueLayout.JAVA_INT_UNALIGNED, COUNT, all.size());
        int at = HEADER_BYTES + Integer.BYTES * all.size();
        for (int i = 0; i < all.size(); i++) {
            byte[] word = all.get(i);
            to.set(ValueLayout.JAVA_INT_UNALIGNED, HEADER_BYTES + 4L * i, word.length);
            System.arraycopy(word, 0, changed, at, word.length);
            at += word.length;
        }
        return changed;
    }

    /** Returns the words from word {@code first} on. */
    public Words from(int first) {
        Words rest = new Words();
        rest.begin(memory);
        for (int i = first; i < count; i++) {
            rest.add(offset(i), lengths[i]);
        }
        return rest;
    }

    /** Returns how many words there are. */
    public int count() {
        return count;
    }

    /** Returns where all words lie. */
    public MemorySegment memory() {
        return memory;
    }

    /** Returns where word {@code i} begins. */
    public long offset(int i) {
        return base + offsets[i];
    }

    /** Returns the length of word {@code i}. */
    public int length(int i) {
        return lengths[i];
    }

    /** Returns a copy of word {@code i}. */
    public byte[] bytes(int i) {
        return Bytes.copy(memory, offset(i), lengths[i]);
    }

    /** Returns word {@code i} as a text in which a character is a byte. */
    public String text(int i) {
        return new String(bytes(i), StandardCharsets.ISO_8859_1);
    }

    /** Returns at most {@code most} bytes of word {@code i} as a text in which a character is a byte. */
    String text(int i, int most) {
        return new String(Bytes.copy(memory, offset(i), Math.min(lengths[i], most)), StandardCharsets.ISO_8859_1);
    }

    /** Returns whether word {@code i} begins with a zero. */
    boolean startsWithZero(int i) {
        return lengths[i] > 0 && memory.get(ValueLayout.JAVA_BYTE, offset(i)) == 0;
    }

    /** Returns word {@code i} as an error shows it: up to its first zero, without line ends behind it. */
    public String shown(int i) {
        String text = text(i);
        int end = text.indexOf('\0');
        if (end < 0) {
            end = text.length();
        }
        while (end > 0 && (text.charAt(end - 1) == '\r' || text.charAt(end - 1) == '\n')) {
            end--;
        }
        return text.substring(0, end);
    }

    /** Returns word {@code i} as an error shows it within quotes: up to its first zero. */
    public String quoted(int i) {
        return upToZero(text(i));
    }

    /** Returns a text up to its first zero, as Redis shows it. */
    public static String upToZero(String text) {
        int end = text.indexOf('\0');
        return end < 0 ? text : text.substring(0, end);
    }

    /** Returns whether word {@code i} is {@code upper}, whatever the case of its letters. */
    public boolean is(int i, String upper) {
        if (lengths[i] != upper.length()) {
            return false;
        }
        for (int at = 0; at < upper.length(); at++) {
            int letter = memory.get(ValueLayout.JAVA_BYTE, base + offsets[i] + at);
            if ((letter >= 'a' && letter <= 'z' ? letter - 32 : letter) != upper.charAt(at)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns word {@code i} as a number, written as Redis writes it.
     *
     * @throws RedisError if it is none
     */
    public long number(int i) {
        return number(i, RedisError.NOT_AN_INTEGER);
    }

    /** As {@link #number(int)}, with another error. */
    public long number(int i, RedisError otherwise) {
        return Numbers.parse(memory, offset(i), lengths[i], otherwise);
    }

    /**
     * Returns word {@code i} as a number with a fraction.
     *
     * @throws RedisError if it is none
     */
    public double fraction(int i) {
        return Numbers.parseDouble(text(i), RedisError.NOT_A_FLOAT);
    }
}
