package io.slipstream.service.net;

import io.slipstream.core.thread.Signal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.function.Consumer;

/** Sleeps in a selector, so that sockets wake a thread as well as other threads do. */
public final class SelectorSignal extends Signal {
    private final Selector selector;
    private final Consumer<SelectionKey> onReady;

    /** Creates a signal; {@code onReady} gets the keys that have become ready, on the thread that sleeps. */
    public SelectorSignal(Selector selector, Consumer<SelectionKey> onReady) {
        this.selector = selector;
        this.onReady = onReady;
    }

    @Override
    protected void await(long nanos) {
        try {
            selector.select(onReady, Math.max(1, nanos / 1_000_000));
        } catch (IOException e) {
            throw new UncheckedIOException("the selector failed", e);
        }
    }

    @Override
    protected void interruptSleep(Thread thread) {
        selector.wakeup();
    }
}
