package io.slipstream.data.text;

/*
 * Marks the bytes of a word that may be the ones looked for, at their highest bit. A byte above one that is found may
 * be marked wrongly, none is missed; so whoever uses it looks at the byte. See Mycroft's test, in "Hacker's Delight",
 * 6-1.
 */
final class Candidates {
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGHS = 0x8080_8080_8080_8080L;
    private static final long CONTROLS = ('\r' + 1) * ONES;

    private Candidates() {}

    static long pattern(byte b) {
        return (b & 0xff) * ONES;
    }

    /** Marks the bytes of {@code pattern}. */
    static long of(long word, long pattern) {
        long x = word ^ pattern;
        return x - ONES & ~x & HIGHS;
    }

    /** Marks the bytes of both patterns, and the control characters up to carriage return. */
    static long of(long word, long separator, long quote) {
        long s = word ^ separator;
        long q = word ^ quote;
        return (s - ONES & ~s | q - ONES & ~q | word - CONTROLS & ~word) & HIGHS;
    }
}
