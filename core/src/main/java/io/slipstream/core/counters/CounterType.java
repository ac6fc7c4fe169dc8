package io.slipstream.core.counters;

/**
 * What the number of a counter means, and whether it is a total or a level. The place in this list is written to files,
 * so that new types go to the end, before {@link #UNKNOWN}.
 */
public enum CounterType {
    /** How often something has happened since the start. */
    COUNT(Kind.TOTAL),

    /** A position in a stream. */
    POSITION(Kind.LEVEL),

    /** How much is waiting at the moment, in the unit of its {@link #CAPACITY}. */
    DEPTH(Kind.LEVEL),

    /**
     * How much can wait. An owner with several adds each of them before what is measured against it: a {@link #DEPTH}
     * or {@link #LAG} belongs to the last capacity of the same owner that was added before it, or to the first if there
     * is none before.
     */
    CAPACITY(Kind.LEVEL),

    /** How far a consumer is behind, in the unit of its {@link #CAPACITY}. */
    LAG(Kind.LEVEL),

    /** How many were turned away and may come again. */
    REFUSED(Kind.TOTAL),

    /** How many were lost on purpose. */
    DROPPED(Kind.TOTAL),

    /** A moment in milliseconds since 1970. */
    TIME_MILLIS(Kind.LEVEL),

    /** One duration in nanoseconds: the last, the longest or the mean one. */
    DURATION_NANOS(Kind.LEVEL),

    /** How much there is at the moment, without a capacity; or whether something is so, as 1 or 0. */
    LEVEL(Kind.LEVEL),

    /** All the time in nanoseconds that something has taken since the start. */
    SPENT_NANOS(Kind.TOTAL),

    /** A type that a newer version has written. */
    UNKNOWN(Kind.LEVEL);

    private static final CounterType[] ALL = values();

    private final Kind kind;

    private enum Kind {
        TOTAL,
        LEVEL
    }

    CounterType(Kind kind) {
        this.kind = kind;
    }

    /**
     * Returns whether the number only grows while its process runs, so that its rate means something. All others are
     * levels, which also fall.
     */
    public boolean isTotal() {
        return kind == Kind.TOTAL;
    }

    int code() {
        return ordinal();
    }

    static CounterType ofCode(int code) {
        return code >= 0 && code < UNKNOWN.ordinal() ? ALL[code] : UNKNOWN;
    }
}
