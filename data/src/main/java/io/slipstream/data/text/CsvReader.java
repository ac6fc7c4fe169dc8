package io.slipstream.data.text;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Reads records of CSV one after another, and their fields as numbers, bytes or strings. It belongs to one thread at a
 * time, and makes garbage only where a string is asked for.
 *
 * <pre>{@code
 * CsvReader records = CsvReader.of(channel, CsvFormat.RFC_4180);
 * records.next();                                   // the heading
 * int price = records.indexOf("price");
 * while (records.next()) {
 *     sum += records.decimalAt(price, 2);
 * }
 * }</pre>
 *
 * <p>A record ends with {@code \n}, {@code \r\n} or {@code \r}, or with the input. Its fields, as {@link #bytes},
 * {@link #begin} and {@link #end} show them, are without quotes; they stay until the next record is read. Positions in
 * a {@link TextException} count from the beginning of the input, also inside a quoted field, unless quotes are doubled
 * before. A mark of UTF-8 before the first record is passed over.
 *
 * <p>{@link #next} refuses a record that is not as in RFC 4180, and stays before it. {@link #skipLine} is the way on.
 */
public final class CsvReader {
    /** Bytes of the longest record if nothing else is said. */
    public static final int DEFAULT_MAX_RECORD = 1 << 20;

    private static final int WINDOW = 1 << 16;
    /* The last word may be read over the end of what is there. */
    private static final int SLACK = 8;

    private static final int NONE = -1;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final CsvSource source;
    private final byte separator;
    private final byte quote;
    private final long separators;
    private final long quotes;
    private final int maxRecord;
    private final Ranges fields = new Ranges();
    private byte[] window;
    private int position;
    private int limit;
    private long windowOffset;
    private long records;
    private boolean begun;
    private boolean ended;

    /* How far the record at position was scanned: so a record that comes in many pieces is scanned once. */
    private int fieldBegin;
    private int scanned;
    private int openQuote = NONE;
    private boolean isDoubled;
    private boolean hasDoubledQuotes;

    private CsvReader(CsvSource source, CsvFormat format, int maxRecord) {
        this.source = source;
        this.maxRecord = maxRecord;
        separator = format.separator();
        quote = format.quote();
        separators = Candidates.pattern(separator);
        quotes = Candidates.pattern(quote);
        window = new byte[Math.min(WINDOW, maxRecord + 2) + SLACK];
    }

    /** Reads the bytes from {@code begin} to {@code end}. */
    public static CsvReader of(byte[] bytes, int begin, int end, CsvFormat format) {
        return of(MemorySegment.ofArray(bytes).asSlice(begin, (long) end - begin), format);
    }

    /** Reads a segment, as a mapped file is one. */
    public static CsvReader of(MemorySegment segment, CsvFormat format) {
        return of(segment, format, DEFAULT_MAX_RECORD);
    }

    /**
     * Reads a segment, as a mapped file is one.
     *
     * @param maxRecord the longest record in bytes, up to 1 GiB; what is longer is refused before it takes memory
     */
    public static CsvReader of(MemorySegment segment, CsvFormat format, int maxRecord) {
        return new CsvReader(CsvSource.of(segment), format, checked(maxRecord));
    }

    /** Reads a channel to its end; it stays the caller's to close. */
    public static CsvReader of(ReadableByteChannel channel, CsvFormat format) {
        return of(channel, format, DEFAULT_MAX_RECORD);
    }

    /**
     * Reads a channel to its end; it stays the caller's to close.
     *
     * @param maxRecord the longest record in bytes, up to 1 GiB; what is longer is refused before it takes memory
     */
    public static CsvReader of(ReadableByteChannel channel, CsvFormat format, int maxRecord) {
        return new CsvReader(CsvSource.of(channel), format, checked(maxRecord));
    }

    private static int checked(int maxRecord) {
        if (maxRecord < 1 || maxRecord > 1 << 30) {
            throw new IllegalArgumentException("the longest record has from 1 to 2^30 bytes, not " + maxRecord);
        }
        return maxRecord;
    }

    /**
     * Goes to the next record.
     *
     * @return false if there is none
     * @throws TextException if quotes are not as in RFC 4180, or the record is too long; further calls throw the same
     *         until {@link #skipLine} is called
     * @throws IOException   if the channel fails
     */
    public boolean next() throws IOException {
        if (!begun) {
            passByteOrderMark();
        }
        restart();
        while (!scan()) {
            if (position == limit && ended) {
                fields.clear();
                return false;
            }
            fill();
        }
        if (hasDoubledQuotes) {
            removeDoubledQuotes();
        }
        records++;
        return true;
    }

    /**
     * Passes over the line with which the next record begins, whatever its quotes say; so that a reader that {@link
     * #next} refused a record goes on. A quote that is never closed swallows all lines behind it, so what follows the
     * first of them is read again. Counts as a record, and takes no memory even if the line is long.
     *
     * @return false if there is none
     * @throws IOException if the channel fails
     */
    public boolean skipLine() throws IOException {
        if (!begun) {
            passByteOrderMark();
        }
        restart();
        boolean isLine = false;
        while (true) {
            for (; position < limit; position++) {
                isLine = true;
                byte b = window[position];
                if (b == '\n' || b == '\r') {
                    if (!endLine(position)) {
                        break;
                    }
                    records++;
                    return true;
                }
            }
            if (ended) {
                records += isLine ? 1 : 0;
                return isLine;
            }
            fill();
        }
    }

    /** Passes over the mark that some programs write before UTF-8; it is no part of the first field. */
    private void passByteOrderMark() throws IOException {
        begun = true;
        while (limit < BYTE_ORDER_MARK.length && !ended) {
            fill();
        }
        int length = BYTE_ORDER_MARK.length;
        if (limit >= length && Arrays.equals(window, 0, length, BYTE_ORDER_MARK, 0, length)) {
            position = length;
        }
    }

    /** Forgets how far the record at {@code position} was scanned. */
    private void restart() {
        fields.clear();
        hasDoubledQuotes = false;
        fieldBegin = position;
        scanned = position;
        openQuote = NONE;
    }

    /**
     * Finds the fields of the record at {@code position}, from where the last call ended; false if it does not end in
     * the window.
     */
    private boolean scan() {
        byte[] bytes = window;
        Ranges into = fields;
        int from = fieldBegin;
        int end = limit;
        int start = scanned;
        if (openQuote != NONE) {
            int behind = closeQuote();
            if (behind < 0 || behind == end || bytes[behind] != separator) {
                return behind >= 0 && endQuoted(behind);
            }
            openQuote = NONE;
            from = behind + 1;
            start = from;
        }
        for (int at = start; at < end; at += 8) {
            long candidates = Candidates.of((long) Digits.LONG.get(bytes, at), separators, quotes);
            for (; candidates != 0; candidates &= candidates - 1) {
                int i = at + (Long.numberOfTrailingZeros(candidates) >>> 3);
                byte b = bytes[i];
                if (i >= end) {
                    break;
                }
                if (b == separator) {
                    into.add(from, i);
                    from = i + 1;
                } else if (b == '\n' || b == '\r') {
                    return endRecord(from, i);
                } else if (b == quote) {
                    int behind = openQuote(from, i);
                    if (behind < 0 || behind == end || bytes[behind] != separator) {
                        return behind >= 0 && endQuoted(behind);
                    }
                    openQuote = NONE;
                    from = behind + 1;
                    at = behind + 1 - 8;
                    break;
                }
            }
        }
        fieldBegin = from;
        scanned = end;
        return ended && position < end && endRecord(from, end);
    }

    private boolean endRecord(int from, int end) {
        fields.add(from, end);
        if (end == limit) {
            position = end;
            return true;
        }
        if (endLine(end)) {
            return true;
        }
        fields.removeLast();
        fieldBegin = from;
        scanned = end;
        return false;
    }

    /** Ends the record behind its last field, which is in quotes. */
    private boolean endQuoted(int behind) {
        if (behind == limit) {
            position = behind;
            return true;
        }
        if (endLine(behind)) {
            return true;
        }
        fields.removeLast();
        scanned = behind - 1;
        return false;
    }

    /** Passes the end of a line; false if what follows it is not known yet. */
    private boolean endLine(int end) {
        if (window[end] == '\r') {
            if (end + 1 == limit && !ended) {
                return false;
            }
            position = end + 1 < limit && window[end + 1] == '\n' ? end + 2 : end + 1;
        } else {
            position = end + 1;
        }
        return true;
    }

    /** Adds a field in quotes; returns where it ends, or -1 if that is not in the window. */
    private int openQuote(int from, int open) {
        if (open != from) {
            throw wrong(open, "no quote inside a field that does not begin with one");
        }
        openQuote = open;
        isDoubled = false;
        scanned = open + 1;
        return closeQuote();
    }

    /** Adds the field whose quote is open, from where it was scanned to. */
    private int closeQuote() {
        byte[] bytes = window;
        int i = scanned;
        for (; i < limit; i++) {
            if (bytes[i] != quote) {
                continue;
            }
            if (i + 1 == limit && !ended) {
                break;
            }
            if (i + 1 < limit && bytes[i + 1] == quote) {
                isDoubled = true;
                i++;
                continue;
            }
            if (i + 1 < limit && bytes[i + 1] != separator && bytes[i + 1] != '\n' && bytes[i + 1] != '\r') {
                throw wrong(i + 1, "a separator or the end of the line behind a closing quote");
            }
            hasDoubledQuotes |= isDoubled;
            // A begin that is negative marks what still has doubled quotes.
            fields.add(isDoubled ? ~(openQuote + 1) : openQuote + 1, i);
            return i + 1;
        }
        if (ended) {
            throw wrong(openQuote, "a closing quote for the one here");
        }
        scanned = i;
        return -1;
    }

    private void removeDoubledQuotes() {
        for (int field = 0; field < fields.size(); field++) {
            int begin = fields.begin(field);
            if (begin < 0) {
                begin = ~begin;
                int to = begin;
                for (int i = begin; i < fields.end(field); i++) {
                    window[to++] = window[i];
                    if (window[i] == quote) {
                        i++;
                    }
                }
                fields.set(field, begin, to);
            }
        }
    }

    private TextException wrong(int at, String expected) {
        return TextException.at(window, position, limit, at, expected).shiftedBy(windowOffset);
    }

    /** Moves what was found of the record, which moves to the beginning of the window. */
    private void shift(int by) {
        for (int field = 0; field < fields.size(); field++) {
            int begin = fields.begin(field);
            fields.set(field, begin < 0 ? ~(~begin - by) : begin - by, fields.end(field) - by);
        }
        fieldBegin -= by;
        scanned -= by;
        openQuote -= openQuote == NONE ? 0 : by;
    }

    private void fill() throws IOException {
        if (position > 0) {
            System.arraycopy(window, position, window, 0, limit - position);
            windowOffset += position;
            limit -= position;
            shift(position);
            position = 0;
        } else if (limit + SLACK == window.length) {
            if (limit >= maxRecord) {
                throw new TextException(
                        windowOffset,
                        "a record of at most " + maxRecord + " bytes",
                        "a longer one, record " + (records + 1)
                                + (openQuote == NONE
                                        ? ""
                                        : ", whose quote at position " + (windowOffset + openQuote)
                                                + " is not closed by then"));
            }
            window = Arrays.copyOf(window, (int) Math.min(2L * window.length, maxRecord + 2L + SLACK));
        }
        int count = source.read(window, limit, window.length - SLACK - limit);
        if (count < 0) {
            ended = true;
        } else {
            limit += count;
        }
    }

    /** Returns how many records were read or passed over, the heading included. */
    public long records() {
        return records;
    }

    /** Returns how many fields the record has; at least one. */
    public int fieldCount() {
        return fields.size();
    }

    /** Returns the array in which the fields stand; another one after the next record. */
    public byte[] bytes() {
        return window;
    }

    /** Returns where in {@link #bytes} the field begins. */
    public int begin(int field) {
        return fields.begin(field);
    }

    /** Returns where in {@link #bytes} the field ends, exclusive. */
    public int end(int field) {
        return fields.end(field);
    }

    /** Returns whether the field stood in quotes: so an empty text differs from no value. */
    public boolean isQuoted(int field) {
        int begin = begin(field);
        return begin > 0 && window[begin - 1] == quote;
    }

    /** Reads a field as {@link LongText#parse}. */
    public long longAt(int field) {
        try {
            return LongText.parse(window, begin(field), end(field));
        } catch (TextException e) {
            throw inField(e, field);
        }
    }

    /** Reads a field as {@link DecimalText#parse}. */
    public long decimalAt(int field, int scale) {
        try {
            return DecimalText.parse(window, begin(field), end(field), scale);
        } catch (TextException e) {
            throw inField(e, field);
        }
    }

    /** Reads a field as {@link DoubleText#parse}. */
    public double doubleAt(int field) {
        try {
            return DoubleText.parse(window, begin(field), end(field));
        } catch (TextException e) {
            throw inField(e, field);
        }
    }

    /** Reads a field as {@link BooleanText#parse}. */
    public boolean booleanAt(int field) {
        try {
            return BooleanText.parse(window, begin(field), end(field));
        } catch (TextException e) {
            throw inField(e, field);
        }
    }

    /** Reads a field as {@link InstantText#parse}. */
    public long instantAt(int field) {
        try {
            return InstantText.parse(window, begin(field), end(field));
        } catch (TextException e) {
            throw inField(e, field);
        }
    }

    /** Returns a field as a new string; bytes that are not UTF-8 become replacement characters. */
    public String stringAt(int field) {
        return new String(window, begin(field), end(field) - begin(field), StandardCharsets.UTF_8);
    }

    /** Returns the text of a field for a message: in quotes, and what nobody sees as its code point. */
    public String quotedAt(int index) {
        return visible(stringAt(index));
    }

    /** Adds all fields of the record as new strings to a collection of the caller's. */
    public void addTo(Collection<? super String> strings) {
        for (int i = 0; i < fields.size(); i++) {
            strings.add(stringAt(i));
        }
    }

    /**
     * Returns which field of this record is {@code name}; for the heading.
     *
     * @throws TextException if none is; it tells the names there are
     */
    public int indexOf(String name) {
        byte[] wanted = name.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < fields.size(); i++) {
            if (Arrays.equals(wanted, 0, wanted.length, window, begin(i), end(i))) {
                return i;
            }
        }
        List<String> names = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            names.add(quotedAt(i));
        }
        throw new TextException(windowOffset, "a field " + visible(name) + " in record " + records, names.toString());
    }

    /** Returns a name in quotes, so that blanks at its ends and characters that no one sees show. */
    private static String visible(String name) {
        StringBuilder text = new StringBuilder("'");
        name.codePoints()
                .forEach(c -> text.append(
                        c == ' ' || Character.isLetterOrDigit(c) || c > ' ' && c < 0x7f
                                ? Character.toString(c)
                                : String.format(Locale.ROOT, "\\u{%x}", c)));
        return text.append('\'').toString();
    }

    private TextException inField(TextException e, int field) {
        return new TextException(
                windowOffset + e.position(),
                e.expected() + " in field " + field + " of record " + records,
                quotedAt(field));
    }
}
