package io.slipstream.sim.cluster;

/** What a replicated log has one after the other. */
sealed interface LogItem {
    /**
     * Frames of a gateway.
     *
     * @param timeNanos since the epoch, at the leader that has taken them
     */
    record Batch(long timeNanos, byte[] bytes) implements LogItem {}

    /** A term begins. */
    record Term(int leader) implements LogItem {}

    /** Each member that is here takes a snapshot. */
    record Snapshot() implements LogItem {}
}
