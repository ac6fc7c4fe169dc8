package io.slipstream.data.text;

/**
 * How fields stand in a record. A quoted field may hold separators, ends of lines, and quotes, which are doubled there.
 *
 * @param separator between fields: a printable ASCII character or a tab, not the quote
 * @param quote     around fields: a printable ASCII character
 */
public record CsvFormat(byte separator, byte quote) {
    /** RFC 4180: commas and double quotes. */
    public static final CsvFormat RFC_4180 = new CsvFormat((byte) ',', (byte) '"');
    /** The same with tabs. */
    public static final CsvFormat TABS = new CsvFormat((byte) '\t', (byte) '"');

    /**
     * Creates it.
     *
     * @throws IllegalArgumentException if a character cannot have its role
     */
    public CsvFormat {
        if (separator != '\t' && !isPrintable(separator) || !isPrintable(quote) || separator == quote) {
            throw new IllegalArgumentException("separator and quote are two different printable ASCII characters,"
                    + " or the separator is a tab; not "
                    + separator + " and " + quote);
        }
    }

    private static boolean isPrintable(byte b) {
        return b >= ' ' && b < 0x7f;
    }
}
