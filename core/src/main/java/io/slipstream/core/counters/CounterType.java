package io.slipstream.core.counters;

/** What the number of a counter means. The place in this list is written to files, so that new types go to the end. */
public enum CounterType {
    /** How often something has happened since the start. */
    COUNT,

    /** A position in a stream. */
    POSITION,

    /** How much is waiting at the moment, in the unit of its {@link #CAPACITY}. */
    DEPTH,

    /**
     * How much can wait. An owner with several adds each of them before what is measured against it: a {@link #DEPTH}
     * or {@link #LAG} belongs to the last capacity of the same owner that was added before it, or to the first if there
     * is none before.
     */
    CAPACITY,

    /** How far a consumer is behind, in the unit of its {@link #CAPACITY}. */
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
