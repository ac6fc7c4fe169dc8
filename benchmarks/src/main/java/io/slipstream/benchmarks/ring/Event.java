package io.slipstream.benchmarks.ring;

/** The events of the rings of objects: one long, or eight. */
abstract class Event {
    long value;

    /** An event that carries one long. */
    static final class OfOneLong extends Event {
    }

    /** An event with 64 bytes, of which a publisher writes the first and the last. */
    @SuppressWarnings("unused")
    static final class OfEightLongs extends Event {
        long b;
        long c;
        long d;
        long e;
        long f;
        long g;
        long h;
    }
}
