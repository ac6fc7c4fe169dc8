package io.slipstream.keyvalue.resp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A pattern as Redis has it: {@code *}, {@code ?}, {@code [a-c]}, {@code [^a]}, and a backslash before any of them.
 *
 * <p>It is compiled once, and then followed in all ways at the same time: state {@code i} says that the first
 * {@code i} characters of the pattern, without its stars, have matched. A character moves 64 states in a few steps, so
 * that no text takes longer than its length times the words of the states, whatever the pattern. (Baeza-Yates and
 * Gonnet, "A new approach to text searching", 1992.)
 */
public final class Glob {
    /** Longest pattern in bytes. */
    public static final int MAX_LENGTH = 1024;

    private static final int BYTES = 256;
    private static final int ARRAYS_BYTES = 96;

    /** Which of {@link #accepting} a character has: most have the same. */
    private final byte[] kinds = new byte[BYTES];

    /** For each kind of character the states that it leads to the next one from. */
    private final long[][] accepting;

    /** The states at which a star takes any character. */
    private final long[] loops;

    private final int states;

    /**
     * Compiles a pattern.
     *
     * @throws RedisError if it has more than {@value #MAX_LENGTH} bytes
     */
    public Glob(byte[] pattern) {
        if (pattern.length > MAX_LENGTH) {
            throw new RedisError(
                    "ERR the pattern has " + pattern.length + " bytes, and at most " + MAX_LENGTH + " are taken");
        }
        long[][] all = new long[BYTES][words(pattern.length)];
        loops = new long[words(pattern.length)];
        int state = 0;
        for (int at = 0; at < pattern.length; ) {
            if (pattern[at] == '*') {
                set(loops, state);
                at++;
            } else {
                at = one(pattern, at, state++, all);
            }
        }
        states = state;
        List<long[]> distinct = new ArrayList<>();
        for (int c = 0; c < BYTES; c++) {
            long[] own = all[c];
            int kind = IntStream.range(0, distinct.size())
                    .filter(i -> Arrays.equals(distinct.get(i), own))
                    .findFirst()
                    .orElse(distinct.size());
            if (kind == distinct.size()) {
                distinct.add(own);
            }
            kinds[c] = (byte) kind;
        }
        accepting = distinct.toArray(long[][]::new);
    }

    /** Returns how much memory it takes at most. */
    public long bytes() {
        return BYTES + (long) (accepting.length + 1) * (loops.length + 2) * Long.BYTES + ARRAYS_BYTES;
    }

    /** Returns whether all of {@code text} matches a pattern that is used once. */
    public static boolean matches(byte[] pattern, byte[] text) {
        return new Glob(pattern).matches(text);
    }

    /** Returns whether all of {@code text} matches. */
    public boolean matches(byte[] text) {
        if (loops.length == 1) {
            return matchesOneWord(text);
        }
        long[] now = new long[loops.length];
        set(now, 0);
        for (byte character : text) {
            long[] moves = accepting[kinds[character & 0xFF] & 0xFF];
            long carry = 0;
            long any = 0;
            for (int i = 0; i < now.length; i++) {
                long moving = now[i] & moves[i];
                now[i] = moving << 1 | carry | now[i] & loops[i];
                carry = moving >>> 63;
                any |= now[i];
            }
            if (any == 0) {
                return false;
            }
        }
        return (now[states >>> 6] >>> states & 1) != 0;
    }

    private boolean matchesOneWord(byte[] text) {
        long loop = loops[0];
        long now = 1;
        for (byte character : text) {
            now = (now & accepting[kinds[character & 0xFF] & 0xFF][0]) << 1 | now & loop;
            if (now == 0) {
                return false;
            }
        }
        return (now >>> states & 1) != 0;
    }

    /** Returns how many words hold the states of a pattern of that length. */
    private static int words(int length) {
        return (length >>> 6) + 1;
    }

    private static void set(long[] bits, int bit) {
        bits[bit >>> 6] |= 1L << bit;
    }

    /** Notes which characters the pattern takes at {@code at}, in that state; returns where it continues. */
    private static int one(byte[] pattern, int at, int state, long[][] all) {
        switch (pattern[at]) {
            case '?' -> {
                range(0, BYTES - 1, state, all);
                return at + 1;
            }
            case '[' -> {
                return oneOf(pattern, at + 1, state, all);
            }
            case '\\' -> {
                int literal = at + 1 < pattern.length ? at + 1 : at;
                set(all[pattern[literal] & 0xFF], state);
                return literal + 1;
            }
            default -> {
                set(all[pattern[at] & 0xFF], state);
                return at + 1;
            }
        }
    }

    private static int oneOf(byte[] pattern, int from, int state, long[][] all) {
        int at = from;
        boolean isNegated = at < pattern.length && pattern[at] == '^';
        at += isNegated ? 1 : 0;
        while (at < pattern.length && pattern[at] != ']') {
            if (pattern[at] == '\\' && at + 1 < pattern.length) {
                set(all[pattern[at + 1] & 0xFF], state);
                at += 2;
            } else if (at + 2 < pattern.length && pattern[at + 1] == '-') {
                int low = Math.min(pattern[at] & 0xFF, pattern[at + 2] & 0xFF);
                range(low, Math.max(pattern[at] & 0xFF, pattern[at + 2] & 0xFF), state, all);
                at += 3;
            } else {
                set(all[pattern[at] & 0xFF], state);
                at++;
            }
        }
        if (isNegated) {
            for (long[] each : all) {
                each[state >>> 6] ^= 1L << state;
            }
        }
        return Math.min(at + 1, pattern.length);
    }

    private static void range(int low, int high, int state, long[][] all) {
        for (int c = low; c <= high; c++) {
            set(all[c], state);
        }
    }
}
