package io.slipstream.sim.network;

/** A process that has sockets in a simulated network. */
public interface Node {
    /** Returns what the trace calls it. */
    String name();

    /** Something has happened to one of its sockets: it should look soon. */
    void wake();

    /** It was blocked in a call for so long. */
    void blockedFor(long nanos);
}
