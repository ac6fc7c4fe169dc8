package io.slipstream.core.handler;

/** What every kind of handler may want to know beside its events; does nothing unless overridden. */
public interface StageListener {
    /**
     * Called once before {@link #onStart} with what gives events back in the middle of a batch: for handlers that are
     * slow, or flush on their own account. Handlers that share work are given one that does nothing.
     */
    default void releaseWith(Release release) {}

    /** Called once before the first event. */
    default void onStart() throws Exception {}

    /** Called once after the last event, also when the stage has failed; not if {@link #onStart} was never called. */
    default void onShutdown() throws Exception {}

    /**
     * Called before each batch. To handlers that share work each event or frame is a batch of its own, and the depth
     * its size.
     *
     * @param batchSize  events, or bytes of frames, in this batch
     * @param queueDepth what is there in all for this stage, of which the batch is the beginning. Where many publishers
     *                   have more than the batch can take, that is what they have claimed, the newest of which may not
     *                   be published yet
     */
    default void onBatchStart(long batchSize, long queueDepth) {}

    /**
     * Called when nothing has come for the time that was set for the stage, and again each time that it has passed once
     * more.
     *
     * @param sequence the position that the stage waits for
     */
    default void onTimeout(long sequence) throws Exception {}
}
