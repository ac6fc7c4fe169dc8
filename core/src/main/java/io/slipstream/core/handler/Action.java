package io.slipstream.core.handler;

/** What a stage does after an event. */
public enum Action {
    /** Passes the event and goes on with the next. */
    CONTINUE,

    /** Passes the event and stops: the graph ends, and publishers fail with the reason. */
    STOP,

    /**
     * Hands the same event over again, at the next round of the stage, after what was handled before has been passed.
     * The stage spins for a moment first; then, unless its wait strategy spins or yields for ever, it sleeps for up to
     * a millisecond between two rounds. On a virtual thread it lets others have the carrier.
     */
    RETRY,

    /**
     * Hands the whole batch over again from its first event, at the next round; events that arrived may have made it
     * larger. The stage waits as little as with {@link #RETRY}.
     */
    REWIND
}
