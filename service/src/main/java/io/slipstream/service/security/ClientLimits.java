package io.slipstream.service.security;

/**
 * How much a client may send. Rates count for all connections of a principal together, and allow a burst of one second.
 *
 * @param requestsPerSecond most requests a second; {@link Long#MAX_VALUE} for no limit
 * @param bytesPerSecond    most bytes of payload a second; {@link Long#MAX_VALUE} for no limit
 * @param inFlight          most unanswered requests of one connection
 */
public record ClientLimits(long requestsPerSecond, long bytesPerSecond, int inFlight) {
    /** No limits. */
    public static final ClientLimits NONE = new ClientLimits(Long.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE);

    /** Checks the numbers. */
    public ClientLimits {
        if (requestsPerSecond < 1 || bytesPerSecond < 1 || inFlight < 1) {
            throw new IllegalArgumentException("limits are from 1 on, not " + requestsPerSecond + " requests/s, "
                    + bytesPerSecond + " bytes/s, " + inFlight + " in flight");
        }
    }
}
