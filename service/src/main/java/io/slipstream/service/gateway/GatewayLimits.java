package io.slipstream.service.gateway;

import io.slipstream.service.pressure.Shedding;

/**
 * The bounds of a gateway.
 *
 * @param maxConnections    how many clients may be connected
 * @param backlog           how many may wait to be accepted
 * @param maxFrameLength    longest frame in bytes, header included
 * @param maxOutputBytes    how much a client may leave unread before it is disconnected
 * @param bufferBytes       how much native memory all clients together may hold: half a request, or what is unread
 * @param responseTimeNanos how long an accepted command may wait
 * @param minPending        how many commands may always wait
 * @param maxPending        how many commands may wait at most
 * @param shedding          what is refused first when it gets full
 */
public record GatewayLimits(
        int maxConnections,
        int backlog,
        int maxFrameLength,
        int maxOutputBytes,
        long bufferBytes,
        long responseTimeNanos,
        long minPending,
        long maxPending,
        Shedding shedding) {
    private static final int INPUT_BYTES = 1 << 16;

    /** By how much a request in another language may be longer than its frame. */
    private static final int MAX_OVERHEAD = 1 << 24;

    /** Returns the bounds of one of so many gateways of a service: memory is divided, the rest is that of all. */
    GatewayLimits share(int gateways) {
        return new GatewayLimits(
                maxConnections,
                backlog,
                maxFrameLength,
                maxOutputBytes,
                Math.max(maxOutputBytes, bufferBytes / gateways),
                responseTimeNanos,
                minPending,
                maxPending,
                shedding);
    }

    /** Returns how many bytes of a request may be kept until it is complete. */
    int inputBytes() {
        return Math.max(INPUT_BYTES, maxFrameLength + Math.min(maxFrameLength, MAX_OVERHEAD));
    }
}
