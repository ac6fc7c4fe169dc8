package io.slipstream.keyvalue.argument;

/** Places from the first on up to the end, of a range whose negative ends count from behind. */
public record Range(int first, int end) {
    public static Range of(long from, long to, int size) {
        long first = Math.max(0, from < 0 ? size + from : from);
        long last = Math.min(size - 1L, to < 0 ? size + to : to);
        return first > last || first >= size ? new Range(0, 0) : new Range((int) first, (int) last + 1);
    }

    public int size() {
        return end - first;
    }
}
