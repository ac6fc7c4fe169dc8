package io.slipstream.core.graph;

import io.slipstream.core.handler.ControlledEventHandler;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.sequencer.Aborts;

/** Hands events to a handler that says with each what to do next. */
final class ControlledStage<E> extends Stage {
    private final RingBuffer<E> ring;
    private final ControlledEventHandler<? super E> handler;

    ControlledStage(RingBuffer<E> ring, ControlledEventHandler<? super E> handler, StageSettings settings) {
        super(ring, handler, settings);
        this.ring = ring;
        this.handler = handler;
    }

    @Override
    protected long handle(long first, long end) throws Exception {
        Aborts aborts = ring.aborts();
        long last = aborts.reach(first) ? aborts.lastKept(first, end) : end - 1;
        long at = first;
        try {
            for (; at <= last; at++) {
                if (aborts.contains(at)) {
                    continue;
                }
                switch (handler.onEvent(ring.get(at), at, at == last)) {
                    case CONTINUE -> {}
                    case RETRY -> {
                        return at;
                    }
                    case REWIND -> {
                        return first;
                    }
                    case STOP -> {
                        stopAfterThis();
                        return at + 1;
                    }
                }
            }
        } catch (Throwable e) {
            failed(at);
            throw e;
        }
        return end;
    }
}
