package io.slipstream.data.text;

/**
 * Writes records of CSV to the end of a {@link TextBuffer}. It belongs to one thread at a time and makes no garbage.
 */
public final class CsvWriter {
    private final TextBuffer to;
    private final CsvFormat format;
    private boolean inRecord;

    /** Creates one; who owns the buffer writes it out and clears it, at best between records. */
    public CsvWriter(TextBuffer to, CsvFormat format) {
        this.to = to;
        this.format = format;
    }

    /** Adds a field of no characters at all, which says that there is no value; an empty text is two quotes. */
    public CsvWriter none() {
        separate();
        return this;
    }

    /** Adds a whole number. */
    public CsvWriter field(long value) {
        separate().append(value);
        return this;
    }

    /** Adds a double, in its shortest form. */
    public CsvWriter field(double value) {
        separate().append(value);
        return this;
    }

    /** Adds a boolean. */
    public CsvWriter field(boolean value) {
        separate().append(value);
        return this;
    }

    /** Adds a decimal. */
    public CsvWriter decimal(long mantissa, int scale) {
        separate().appendDecimal(mantissa, scale);
        return this;
    }

    /** Adds a timestamp with nanoseconds. */
    public CsvWriter instant(long epochNanos) {
        separate().appendInstant(epochNanos);
        return this;
    }

    /**
     * Adds a text, in quotes if it needs them.
     *
     * @throws IllegalArgumentException if it has half of a surrogate pair, which UTF-8 cannot write; nothing is added
     */
    public CsvWriter field(CharSequence text) {
        boolean needsQuotes = needsQuotes(text);
        separate();
        if (!needsQuotes) {
            to.append(text);
            return this;
        }
        to.append(format.quote());
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == format.quote()) {
                to.append(text, from, i + 1);
                from = i;
            }
        }
        to.append(text, from, text.length()).append(format.quote());
        return this;
    }

    /** Ends the record with {@code \r\n}, as RFC 4180 has it. */
    public void endRecord() {
        to.append((byte) '\r').append((byte) '\n');
        inRecord = false;
    }

    private TextBuffer separate() {
        if (inRecord) {
            to.append(format.separator());
        }
        inRecord = true;
        return to;
    }

    private boolean needsQuotes(CharSequence text) {
        // A record of one empty field would be an empty line.
        boolean needsQuotes = text.isEmpty();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            needsQuotes |= c == format.separator() || c == format.quote() || c == '\n' || c == '\r';
            if (Character.isSurrogate(c)) {
                if (Character.isLowSurrogate(c)
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    throw new IllegalArgumentException(
                            "a field has half a surrogate pair at character " + i + ", which UTF-8 cannot write");
                }
                i++;
            }
        }
        return needsQuotes;
    }
}
