package io.slipstream.core.handler;

/**
 * Consumes the events of a ring, one at a time and in order. All methods are called by the thread that runs the stage.
 *
 * @param <E> type of the events
 */
@FunctionalInterface
public interface EventHandler<E> extends StageListener {
    /**
     * Handles one event, which is the handler's until it returns.
     *
     * @param event      the event
     * @param sequence   its position
     * @param endOfBatch whether this is the last event of its batch, as nothing more had arrived or the batch is as
     *                   large as it may be: the moment to flush
     * @throws Exception what happens then is up to the stage's {@link ExceptionPolicy}
     */
    void onEvent(E event, long sequence, boolean endOfBatch) throws Exception;
}
