package io.slipstream.core.ring;

import java.util.ArrayList;
import java.util.List;

/**
 * Several handlers that share the events of a ring: each event goes to exactly one of them.
 *
 * <p>Promised: no event is lost or handled by two; a handler sees its events in ascending order. Not promised: which
 * handler gets which event, an even share, or any order between handlers. An event is passed to the stages behind when
 * it and all before it were handled, so one slow event holds back those behind it, at most as many as the ring holds.
 *
 * <pre>
 *   work    the next event that nobody has taken             read in this order by whoever waits for the share:
 *   own[i]  the first event that member i has not handled,   a member first sets its own and then moves work, so
 *           or NOTHING while it has none                     that an event is always covered by one of them
 * </pre>
 */
final class WorkShare<E> {
    static final long NOTHING = Long.MAX_VALUE;

    private final Sequence work = new Sequence();
    private final List<Member<E>> members = new ArrayList<>();
    private final RingBuffer<E> ring;

    WorkShare(RingBuffer<E> ring) {
        this.ring = ring;
    }

    Member<E> add(EventHandler<? super E> handler, StageSettings settings) {
        Member<E> member = new Member<>(this, handler, settings);
        members.add(member);
        return member;
    }

    List<Member<E>> members() {
        return members;
    }

    Sequence work() {
        return work;
    }

    /** One of the handlers. It takes one event after the other, so that long ones do not hold short ones up. */
    static final class Member<E> extends Stage {
        private final WorkShare<E> share;
        private final EventHandler<? super E> handler;

        Member(WorkShare<E> share, EventHandler<? super E> handler, StageSettings settings) {
            super(share.ring, handler, settings);
            this.share = share;
            this.handler = handler;
            sequence().setRelease(NOTHING);
        }

        @Override
        List<Sequence> sequences() {
            return List.of(share.work, sequence());
        }

        @Override
        public int work() throws Exception {
            long mine = sequence().getPlain();
            if (mine == NOTHING && (mine = take()) == NOTHING) {
                return idle(share.work.getAcquire());
            }
            run(mine, mine + 1);
            return 1;
        }

        @Override
        protected long handle(long first, long end) throws Exception {
            Aborts aborts = share.ring.aborts();
            try {
                if (!aborts.contains(first)) {
                    handler.onEvent(share.ring.get(first), first, true);
                }
            } catch (Throwable e) {
                failed(first);
                throw e;
            }
            return end;
        }

        /** Takes the next event that nobody has taken; returns {@link #NOTHING} if there is none. */
        private long take() {
            while (true) {
                long next = share.work.getAcquire();
                if (barrier().available(next, 1) <= next) {
                    return NOTHING;
                }
                sequence().setRelease(next);
                if (share.work.compareAndSet(next, next + 1)) {
                    return next;
                }
                // Another member was faster, and whoever waits for the event may have seen this one hold it back and gone to sleep.
                super.pass(NOTHING);
            }
        }

        @Override
        void pass(long done) {
            boolean handled = done != sequence().getPlain();
            if (handled) {
                super.pass(NOTHING);
            }
        }
    }
}
