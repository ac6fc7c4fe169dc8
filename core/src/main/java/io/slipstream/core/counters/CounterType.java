package io.slipstream.core.counters;

/** What the number of a counter means. The place in this list is written to files, so that new types go to the end. */
public enum CounterType {
    /** How often something has happened since the start. */
    COUNT,

    /** A position in a stream. */
    POSITION,

    /** How much is waiting at the moment, in the unit of the {@link #CAPACITY} of the same owner. */
    DEPTH,

    /** How much can wait. */
    CAPACITY,

    /** How far a consumer is behind. */
    LAG,

    /** How many were turned away and may come again. */
    REFUSED,

    /** How many were lost on purpose. */
    DROPPED,

    /** A moment in milliseconds since 1970. */
    TIME_MILLIS,

    /** A duration in nanoseconds. */
    DURATION_NANOS,

    /** A type that a newer version has written. */
    UNKNOWN;

    private static final CounterType[] ALL = values();

    int code() {
        return ordinal();
    }

    static CounterType ofCode(int code) {
        return code >= 0 && code < UNKNOWN.ordinal() ? ALL[code] : UNKNOWN;
    }
}
