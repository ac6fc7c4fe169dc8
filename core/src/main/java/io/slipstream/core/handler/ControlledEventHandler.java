package io.slipstream.core.handler;

/**
 * Consumes events and says with each what to do next, so that no exception is needed for control flow.
 *
 * @param <E> type of the events
 */
@FunctionalInterface
public interface ControlledEventHandler<E> extends StageListener {
    /**
     * Handles one event.
     *
     * @return what to do next
     * @throws Exception what happens then is up to the stage's {@link ExceptionPolicy}
     */
    Action onEvent(E event, long sequence, boolean endOfBatch) throws Exception;
}
