package io.slipstream.keyvalue.argument;

import io.slipstream.keyvalue.resp.Numbers;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.keyvalue.value.SortedSet;

/** A range by score or by name: what comes before it, and what comes before its end. */
public record Bounds(SortedSet.Before first, SortedSet.Before end) {
    public static Bounds scores(Words words, int low, int high) {
        double from = score(words, low);
        double to = score(words, high);
        boolean fromOpen = isOpen(words, low);
        boolean toOpen = isOpen(words, high);
        return new Bounds(
                (score, name) -> fromOpen ? score <= from : score < from,
                (score, name) -> toOpen ? score < to : score <= to);
    }

    public static Bounds names(Words words, int low, int high) {
        Name from = Name.of(words, low);
        Name to = Name.of(words, high);
        return new Bounds((score, name) -> from.isAbove(name, from.open), (score, name) -> to.isAbove(name, !to.open));
    }

    public Range in(SortedSet set) {
        int from = set.rank(first);
        return new Range(from, Math.max(from, set.rank(end)));
    }

    private static boolean isOpen(Words words, int i) {
        return words.length(i) > 0 && words.text(i).charAt(0) == '(';
    }

    private static double score(Words words, int i) {
        String text = words.text(i);
        String number = isOpen(words, i) ? text.substring(1) : text;
        return number.isEmpty() ? 0 : Numbers.parseDouble(number, new RedisError("ERR min or max is not a float"));
    }

    /** An end of a range of names: {@code [a}, {@code (a}, {@code -} or {@code +}. */
    private record Name(Bytes bytes, boolean open, int infinite) {
        static Name of(Words words, int i) {
            String text = words.text(i);
            if (text.equals("-") || text.equals("+")) {
                return new Name(Bytes.of(""), true, text.equals("+") ? 1 : -1);
            }
            if (text.isEmpty() || text.charAt(0) != '[' && text.charAt(0) != '(') {
                throw new RedisError("ERR min or max not valid string range item");
            }
            return new Name(Bytes.of(text.substring(1)), text.charAt(0) == '(', 0);
        }

        /** Returns whether this end lies above a name, or at it. */
        boolean isAbove(Bytes name, boolean orAt) {
            int order = infinite != 0 ? infinite : bytes.compareTo(name);
            return orAt ? order >= 0 : order > 0;
        }
    }
}
