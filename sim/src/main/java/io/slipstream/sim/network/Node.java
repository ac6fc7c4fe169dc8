package io.slipstream.sim.network;

/** A process that has sockets in a simulated network. */
public interface Node {
    /** Returns what the trace calls it. */
    String name();

    /** Something has happened to one of its sockets: it should look soon. */
    void wake();

    /** Returns how many bytes a socket of it takes at most, and keeps for it, before it reads on. */
    default int mostUnread() {
        return Integer.MAX_VALUE;
    }

    /** Somebody would have sent it more than it takes at present. */
    default void overrun() {}

    /** It was blocked in a call for so long. */
    void blockedFor(long nanos);
}
