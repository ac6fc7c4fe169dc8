package io.slipstream.keyvalue.command;

/**
 * Patterns as Redis has them: {@code *}, {@code ?}, {@code [a-c]}, {@code [^a]}, and a backslash before any of them.
 */
final class Glob {
    private Glob() {}

    /** Returns whether all of {@code text} matches; the time is bounded by the product of the lengths. */
    static boolean matches(byte[] pattern, byte[] text) {
        int at = 0;
        int star = -1;
        int retry = 0;
        int i = 0;
        while (i < text.length) {
            int next = at < pattern.length && pattern[at] != '*' ? one(pattern, at, text[i]) : -1;
            if (next > 0) {
                at = next;
                i++;
            } else if (at < pattern.length && pattern[at] == '*') {
                star = at++;
                retry = i;
            } else if (star >= 0) {
                at = star + 1;
                i = ++retry;
            } else {
                return false;
            }
        }
        while (at < pattern.length && pattern[at] == '*') {
            at++;
        }
        return at == pattern.length;
    }

    /** Returns where the pattern goes on if what is at {@code at} takes the character, or -1. */
    private static int one(byte[] pattern, int at, byte character) {
        switch (pattern[at]) {
            case '?' -> {
                return at + 1;
            }
            case '[' -> {
                return oneOf(pattern, at + 1, character);
            }
            case '\\' -> {
                int literal = at + 1 < pattern.length ? at + 1 : at;
                return pattern[literal] == character ? literal + 1 : -1;
            }
            default -> {
                return pattern[at] == character ? at + 1 : -1;
            }
        }
    }

    private static int oneOf(byte[] pattern, int from, byte character) {
        int at = from;
        boolean isNegated = at < pattern.length && pattern[at] == '^';
        at += isNegated ? 1 : 0;
        boolean found = false;
        while (at < pattern.length && pattern[at] != ']') {
            if (pattern[at] == '\\' && at + 1 < pattern.length) {
                found |= pattern[at + 1] == character;
                at += 2;
            } else if (at + 2 < pattern.length && pattern[at + 1] == '-') {
                int low = Math.min(pattern[at] & 0xFF, pattern[at + 2] & 0xFF);
                int high = Math.max(pattern[at] & 0xFF, pattern[at + 2] & 0xFF);
                found |= (character & 0xFF) >= low && (character & 0xFF) <= high;
                at += 3;
            } else {
                found |= pattern[at] == character;
                at++;
            }
        }
        return found != isNegated ? Math.min(at + 1, pattern.length) : -1;
    }
}
