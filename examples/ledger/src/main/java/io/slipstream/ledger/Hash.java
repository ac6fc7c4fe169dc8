package io.slipstream.ledger;

/** The finalizer of SplitMix64 (Steele, Lea, Flood 2014), of one number and of several. */
final class Hash {
    private Hash() {}

    static long mix(long value) {
        long z = value + 0x9e3779b97f4a7c15L;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    static long mix(long a, long b, long c, long d) {
        return mix(a + mix(b + mix(c + mix(d))));
    }
}
