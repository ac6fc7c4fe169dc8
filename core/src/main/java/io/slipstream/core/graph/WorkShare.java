package io.slipstream.core.graph;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.frame.FrameHandler;
import io.slipstream.core.handler.EventHandler;
import io.slipstream.core.handler.StageListener;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.Ring;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.sequence.Sequence;
import java.util.List;

/**
 * Several handlers that share the events or the frames of a ring: each goes to exactly one of them.
 *
 * <p>Promised: no event is lost or handled by two; a handler sees its events in ascending order. Not promised: which
 * handler gets which event, an even share, or any order between handlers. An event is passed to the stages behind when
 * it and all before it were handled, so one slow event holds back those behind it, at most as many as the ring holds.
 * Each event is a batch of its own, the end of which it is; the largest batch that was set plays no part.
 *
 * <pre>
 *   work    the next event that nobody has taken             read in this order by whoever waits for the share:
 *   own[i]  the first event that member i has not handled,   a member first sets its own and then moves work, so
 *           or NOTHING while it has none                     that an event is always covered by one of them
 * </pre>
 */
abstract sealed class WorkShare {
    static final long NOTHING = Long.MAX_VALUE;

    private final Sequence work = new Sequence();

    /** Returns the next position that nobody has taken. */
    final Sequence work() {
        return work;
    }

    /** Handlers that share the events of a ring. */
    static final class OfEvents<E> extends WorkShare {
        private final RingBuffer<E> ring;

        OfEvents(RingBuffer<E> ring) {
            this.ring = ring;
        }

        Stage add(EventHandler<? super E> handler, StageSettings settings) {
            return new EventMember<E>(this, handler, settings);
        }
    }

    /** Handlers that share the frames of a ring. */
    static final class OfFrames extends WorkShare {
        private final FrameRing ring;

        OfFrames(FrameRing ring) {
            this.ring = ring;
        }

        Stage add(FrameHandler handler, StageSettings settings) {
            return new FrameMember(this, handler, settings);
        }
    }

    /** One of the handlers. It takes one event after the other, so that long ones do not hold short ones up. */
    abstract static class Member extends Stage {
        private final Sequence work;

        Member(WorkShare share, Ring ring, StageListener listener, StageSettings settings) {
            super(ring, listener, settings);
            this.work = share.work;
            sequence().setRelease(NOTHING);
        }

        /** Handles the one event or frame at {@code first}. */
        abstract void handleOne(long first) throws Exception;

        @Override
        List<Sequence> sequences() {
            return List.of(work, sequence());
        }

        @Override
        public int work() throws Exception {
            long mine = sequence().getPlain();
            if (mine == NOTHING && (mine = take()) == NOTHING) {
                return idle(work.getAcquire());
            }
            long end = slots().behind(mine);
            if (slots().isAnyKept(mine, end)) {
                startBatch(end - mine, end - mine);
            }
            run(mine, end, end);
            return 1;
        }

        @Override
        protected long handle(long first, long end) throws Exception {
            try {
                handleOne(first);
            } catch (Throwable e) {
                failed(first);
                throw e;
            }
            return end;
        }

        /** Takes the next event that nobody has taken; returns {@link #NOTHING} if there is none. */
        private long take() {
            while (true) {
                long next = work.getAcquire();
                if (barrier().available(next, 1) <= next) {
                    return NOTHING;
                }
                sequence().setRelease(next);
                // Where another one was faster, what is at next may be anything by now, and so may its end; the update
                // fails then.
                if (work.compareAndSet(next, slots().behind(next))) {
                    return next;
                }
                // Another member was faster, and whoever waits for the event may have seen this one hold it back and
                // gone to sleep.
                super.pass(NOTHING);
            }
        }

        /** Each event is a batch of its own, so there is no part of it. */
        @Override
        void release(long position) {}

        @Override
        void pass(long done) {
            boolean handled = done != sequence().getPlain();
            if (handled) {
                super.pass(NOTHING);
            }
        }
    }

    private static final class EventMember<E> extends Member {
        private final RingBuffer<E> ring;
        private final EventHandler<? super E> handler;

        EventMember(OfEvents<E> share, EventHandler<? super E> handler, StageSettings settings) {
            super(share, share.ring, handler, settings);
            this.ring = share.ring;
            this.handler = handler;
        }

        @Override
        void handleOne(long first) throws Exception {
            if (!ring.aborts().contains(first)) {
                handler.onEvent(ring.get(first), first, true);
            }
        }
    }

    private static final class FrameMember extends Member {
        private final FrameRing ring;
        private final FrameHandler handler;

        FrameMember(OfFrames share, FrameHandler handler, StageSettings settings) {
            super(share, share.ring, FrameStage.listener(handler), settings);
            this.ring = share.ring;
            this.handler = handler;
        }

        @Override
        void handleOne(long first) {
            long offset = ring.offset(first);
            int length = Frame.length(ring.memory(), offset);
            if (length > 0) {
                handler.onFrame(ring.memory(), offset, length, true);
            }
        }
    }
}
