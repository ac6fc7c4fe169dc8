package io.slipstream.log.event;

/** How grave a message is, the least first. */
public enum Level {
    /** Each step. */
    TRACE,
    /** For whoever looks for a defect. */
    DEBUG,
    /** What a service does. */
    INFO,
    /** Something to look at. */
    WARN,
    /** Something has failed. */
    ERROR,
    /** As a threshold: nothing is logged. */
    OFF;

    private static final Level[] ALL = values();

    /** Returns the level of that ordinal. */
    public static Level of(int ordinal) {
        return ALL[ordinal];
    }
}
