package io.slipstream.lab.tool;

import java.util.Locale;

/**
 * Counts the nucleotide sequences of one length in a sequence of codes (0 to 3 for A, C, G, T).
 *
 * <p>A sequence of up to 31 nucleotides is a number of two bits each; moving on by one is a shift and a mask. Numbers
 * of up to {@value #DIRECT_BITS} bits index a table of counts, longer ones an open-addressed hash table with linear
 * probing, whose keys and counts lie side by side in one array.
 */
public final class NucleotideCounts {
    private static final int DIRECT_BITS = 16;
    private static final String LETTERS = "ACGT";
    /** Fibonacci hashing (Knuth, volume 3): the golden ratio as a fraction of 2^64. */
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final int length;
    private final boolean direct;
    /** Counts by key, or pairs of key + 1 and count. */
    private long[] table;

    private int used;

    private NucleotideCounts(int length) {
        this.length = length;
        direct = 2 * length <= DIRECT_BITS;
        table = new long[direct ? 1 << (2 * length) : 1 << 12];
    }

    /**
     * Counts all sequences of a length.
     *
     * @param codes 0 to 3 each
     * @param size how many of them to use
     * @param length of the sequences to count, 1 to 31
     */
    public static NucleotideCounts of(byte[] codes, int size, int length) {
        if (length < 1 || length > 31) {
            throw new IllegalArgumentException("a sequence has 1 to 31 nucleotides, not " + length);
        }
        NucleotideCounts counts = new NucleotideCounts(length);
        if (size >= length) {
            counts.count(codes, size);
        }
        return counts;
    }

    /** The code of a letter, upper or lower case, or -1. */
    public static int code(int letter) {
        return LETTERS.indexOf(Character.toUpperCase(letter));
    }

    private void count(byte[] codes, int size) {
        long mask = (1L << (2 * length)) - 1;
        long key = 0;
        for (int i = 0; i < length - 1; i++) {
            key = key << 2 | codes[i];
        }
        for (int i = length - 1; i < size; i++) {
            key = (key << 2 | codes[i]) & mask;
            if (direct) {
                table[(int) key]++;
            } else {
                add(key);
            }
        }
    }

    private void add(long key) {
        int slot = slot(table, key + 1);
        if (table[slot] == 0) {
            table[slot] = key + 1;
            used++;
        }
        table[slot + 1]++;
        if (used > table.length / 4) {
            grow();
        }
    }

    private static int slot(long[] table, long stored) {
        int mask = table.length - 2;
        int slot = (int) (stored * GOLDEN >>> (64 - Integer.numberOfTrailingZeros(table.length))) & mask;
        while (table[slot] != 0 && table[slot] != stored) {
            slot = (slot + 2) & mask;
        }
        return slot;
    }

    private void grow() {
        long[] larger = new long[table.length * 2];
        for (int i = 0; i < table.length; i += 2) {
            if (table[i] != 0) {
                int slot = slot(larger, table[i]);
                larger[slot] = table[i];
                larger[slot + 1] = table[i + 1];
            }
        }
        table = larger;
    }

    /** How often a sequence of this length occurred. */
    public long get(String sequence) {
        if (sequence.length() != length) {
            throw new IllegalArgumentException("'" + sequence + "' has not the counted length " + length);
        }
        long key = 0;
        for (int i = 0; i < length; i++) {
            int code = code(sequence.charAt(i));
            if (code < 0) {
                throw new IllegalArgumentException(
                        "'" + sequence.toUpperCase(Locale.ROOT) + "' has letters other than A, C, G and T");
            }
            key = key << 2 | code;
        }
        if (direct) {
            return table[(int) key];
        }
        int slot = slot(table, key + 1);
        return table[slot + 1];
    }
}
