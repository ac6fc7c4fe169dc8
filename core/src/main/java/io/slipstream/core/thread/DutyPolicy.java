package io.slipstream.core.thread;

/**
 * What becomes of a duty that has thrown. In each case the failure is kept, counted, and told to the worker's listener.
 */
public enum DutyPolicy {
    /** Every duty of the worker stops, so that none goes on beside one that is broken. */
    STOP_ALL,

    /** This duty is stopped and never called again; the others go on. When none is left, the worker ends. */
    STOP_DUTY,

    /**
     * The duty is called again in the next round. For duties that stay whole when they throw. There may be more to do
     * behind what has failed, so a failure counts as work: a duty that always throws keeps its worker from sleeping,
     * and its listener busy; on a virtual thread it lets others have the carrier.
     */
    GO_ON
}
