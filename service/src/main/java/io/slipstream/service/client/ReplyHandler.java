package io.slipstream.service.client;

import java.lang.foreign.MemorySegment;

/**
 * Receives, on the client's own thread, answers to what was sent with {@link ServiceClient#offer}, and events.
 *
 * <p>Memory is valid only during the call. A handler must not block: nothing else is received meanwhile.
 */
public interface ReplyHandler {
    /**
     * The command was applied, or the query answered.
     *
     * @param attachment what was given to {@code offer}
     * @param sequence   the command's place in the log; for a query 0
     */
    void onReply(long attachment, long sequence, MemorySegment memory, long offset, int length);

    /** The command was refused, or failed, or its outcome will never be known; {@code failure} says which. */
    void onFailure(long attachment, ServiceException failure);

    /** The service has refused the command because it has too much to do; it was not applied. */
    void onBusy(long attachment, long retryAfterNanos);

    /** Something has happened that concerns this client's session. */
    default void onEvent(long sequence, MemorySegment memory, long offset, int length) {}

    /**
     * Events or replies are lost to this client: they are no longer kept by the service, or the service has another log
     * than before, as after it was restored from a backup, or a backup site was promoted that lacked the last commands.
     */
    default void onMissedOutputs() {}
}
