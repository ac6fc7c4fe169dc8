package io.slipstream.sim.network;

/**
 * What goes wrong with bytes on their way.
 *
 * @param latencyNanos the longest time that bytes are under way
 * @param crumbs       probability that what is written arrives in pieces of a few bytes
 * @param shortWrite   probability that a socket takes a part only of what is written
 * @param bufferBytes  how many bytes may be under way and unread, for each direction of a connection
 */
public record NetworkFaults(long latencyNanos, double crumbs, double shortWrite, int bufferBytes) {
    /** A network as good as that within one machine. */
    public static final NetworkFaults NONE = new NetworkFaults(20_000, 0, 0, 1 << 18);

    /** Returns the same with bytes that are under way for so long at most. */
    public NetworkFaults withLatencyNanos(long nanos) {
        return new NetworkFaults(nanos, crumbs, shortWrite, bufferBytes);
    }
}
