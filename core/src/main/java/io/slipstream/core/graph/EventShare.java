package io.slipstream.core.graph;

import io.slipstream.core.handler.EventHandler;
import io.slipstream.core.ring.RingBuffer;

/** Handlers that share the events of a ring. */
final class EventShare<E> extends WorkShare {
    private final RingBuffer<E> ring;

    EventShare(RingBuffer<E> ring) {
        this.ring = ring;
    }

    Stage add(EventHandler<? super E> handler, StageSettings settings) {
        return new OfEvents<E>(this, handler, settings);
    }

    private static final class OfEvents<E> extends Member {
        private final RingBuffer<E> ring;
        private final EventHandler<? super E> handler;

        OfEvents(EventShare<E> share, EventHandler<? super E> handler, StageSettings settings) {
            super(share, share.ring, handler, settings);
            this.ring = share.ring;
            this.handler = handler;
        }

        @Override
        long endOf(long first) {
            return first + 1;
        }

        @Override
        void handleOne(long first) throws Exception {
            if (!ring.aborts().contains(first)) {
                handler.onEvent(ring.get(first), first, true);
            }
        }
    }
}
