package io.slipstream.core.graph;

import io.slipstream.core.handler.EventHandler;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.sequencer.Aborts;
import io.slipstream.core.sequencer.Entries;

/** Hands events to a handler one by one. */
final class EventStage<E> extends Stage {
    private final RingBuffer<E> ring;
    private final Object[] entries;
    private final EventHandler<? super E> handler;

    EventStage(RingBuffer<E> ring, EventHandler<? super E> handler, StageSettings settings) {
        super(ring, handler, settings);
        this.ring = ring;
        this.entries = ring.entries().array();
        this.handler = handler;
    }

    @Override
    protected long handle(long first, long end) throws Exception {
        Aborts aborts = ring.aborts();
        if (aborts.reach(first)) {
            return handleAmongAborts(first, end, aborts);
        }
        Object[] entries = this.entries;
        long last = end - 1;
        long at = first;
        try {
            for (; at < last; at++) {
                handler.onEvent(Entries.get(entries, at), at, false);
            }
            handler.onEvent(Entries.get(entries, last), last, true);
        } catch (Throwable e) {
            failed(at);
            throw e;
        }
        return end;
    }

    private long handleAmongAborts(long first, long end, Aborts aborts) throws Exception {
        long last = aborts.lastKept(first, end);
        long at = first;
        try {
            for (; at <= last; at++) {
                if (!aborts.contains(at)) {
                    handler.onEvent(ring.get(at), at, at == last);
                }
            }
        } catch (Throwable e) {
            failed(at);
            throw e;
        }
        return end;
    }
}
