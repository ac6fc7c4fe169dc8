package io.slipstream.sim.network;

/** A channel that a selector can ask what it is ready for. */
interface Ready {
    /** Returns the operations that would not block now. */
    int readyOps();
}
