package io.slipstream.service.spi;

import io.slipstream.journal.Journal;
import java.io.IOException;

/**
 * Decides when a durable batch of the log goes on to the logic, and so when its commands are answered: a second site
 * may have to acknowledge it first. One object serves one service.
 *
 * <p>The journal's thread calls everything but {@link #open} and {@link #close}; those calls must not block.
 */
public interface LogGate extends AutoCloseable {
    /**
     * Called once, before anybody is served.
     *
     * @param journal recovered; the gate may read it from its own threads until {@link #close}
     * @param wake    wakes the journal's thread; call it when {@link #passes} may have changed. Any thread may
     * @throws IOException if this log must not be served, and why
     */
    void open(Journal journal, Runnable wake) throws IOException;

    /** Called after each commit. */
    void committed();

    /**
     * Returns whether the log up to {@code sequence} may go to the logic. If not, it is asked again.
     *
     * @throws IOException if the log must not be served any more, which ends the service
     */
    boolean passes(long sequence) throws IOException;

    /**
     * Called while there is nothing to do.
     *
     * @throws IOException if the log must not be served any more, which ends the service
     */
    void requireOpen() throws IOException;

    /** Called once, before the journal is closed. */
    @Override
    void close();
}
