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
    private final Bells bells;

    /** Creates a signal; {@code onReady} gets the keys that have become ready, on the thread that sleeps. */
    public SelectorSignal(Selector selector, Consumer<SelectionKey> onReady, Bells bells) {
        this.selector = selector;
        this.onReady = onReady;
        this.bells = bells;
    }

    /** What has to be told that the thread sleeps, since no socket brings its bytes. */
    public interface Bells {
        /** Lets others wake the thread by a socket from now on; returns false if something is there already. */
        boolean arm();

        /** The thread is awake. */
        void disarm();
    }

    @Override
    protected void await(long nanos) {
        try {
            if (bells.arm()) {
                selector.select(onReady, Math.max(1, nanos / 1_000_000));
            }
            bells.disarm();
        } catch (IOException e) {
            throw new UncheckedIOException("the selector failed", e);
        }
    }

    @Override
    protected void interruptSleep(Thread thread) {
        selector.wakeup();
    }
}
