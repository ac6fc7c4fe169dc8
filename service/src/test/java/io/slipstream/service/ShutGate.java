package io.slipstream.service;

import io.slipstream.journal.Journal;
import io.slipstream.service.spi.LogGate;

/** Holds the log back until it is opened. */
final class ShutGate implements LogGate {
    private volatile boolean isOpen;
    private volatile Runnable wake = () -> {};

    void open() {
        isOpen = true;
        wake.run();
    }

    @Override
    public void open(Journal journal, Runnable newWake) {
        wake = newWake;
    }

    @Override
    public void committed() {}

    @Override
    public boolean passes(long sequence) {
        return isOpen;
    }

    @Override
    public void requireOpen() {}

    @Override
    public void close() {}
}
