package io.slipstream.journal.storage;

import java.util.concurrent.Executor;

/**
 * Keeps what a journal lets be done beside its owner, and runs it one task after another when it likes: a simulated
 * storage at random moments, in the owner's thread.
 */
public interface BackgroundTasks extends Executor {
    /**
     * Runs the task that has waited longest; returns whether there was one. The owner calls this when it has to wait
     * for them.
     */
    boolean runOne();
}
