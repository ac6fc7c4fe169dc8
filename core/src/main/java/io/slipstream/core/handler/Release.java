package io.slipstream.core.handler;

/** Gives the first events of a batch back while the handler is still at those behind them. */
@FunctionalInterface
public interface Release {
    /**
     * Passes everything before {@code position}, so that the stages behind and the publishers may go on. What was
     * passed is not handed over again, whatever becomes of the rest of the batch. Only for the thread that runs the
     * handler, within a batch.
     *
     * @param position the first event that is still the handler's: mostly the sequence of the present one
     * @throws IllegalArgumentException if that is not within the batch, or before what was passed already
     */
    void before(long position);
}
