package io.slipstream.core.ring;

import io.slipstream.core.memory.Padding;
import org.jspecify.annotations.Nullable;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/**
 * Hands out the positions of a ring to its publishers, and never more than there is room for.
 *
 * <pre>
 *   passed by all gating consumers      published     claimed       limit &lt;= passed + room
 *   ───────────────┬────────────────────────┬────────────┬────────────┬──────▶ position
 *                  └── to be consumed ──────┘            └─ granted ──┘
 * </pre>
 *
 * <p>A claim compares with the <b>limit</b>, which stands on cache lines of its own and changes rarely. Only when the limit
 * is used up does a publisher look at the consumers and raise it, by at most a quarter of the ring. So publishers seldom
 * touch the lines that the consumers write. The limit also tells observers which slots may be about to be overwritten,
 * and a failure takes it away, so that the next claim of every publisher fails.
 *
 * <p>The limit also stays within one lap of the first position that was claimed and not yet published, so that nobody writes
 * where another publisher is still writing. Consumers see to that by themselves, as they pass only what is published. Where there
 * are none, or one has joined beyond such a claim, publishers look for the end of what is published.
 *
 * <p>Raising the limit and changing the set of gating consumers exclude each other; that is what makes the position at
 * which a consumer joins a defined one. Claims within the limit take no lock.
 */
abstract sealed class Sequencer extends Padding permits SingleSequencerState, MultiSequencerState {
    /** What a claim returns when there is no room at present. */
    static final long NO_ROOM = -1;

    private static final long NOTHING_ANY_MORE = Long.MIN_VALUE;

    /** Positions in the ring: events or bytes. A power of two. */
    final int capacity;

    /** Claims end at or below this. */
    final Sequence limit = new Sequence();

    /* The highest limit ever; a failure does not take it back. */
    private final Sequence granted = new Sequence();
    private final Landmarks landmarks;
    private final int room;
    private final int grant;
    private final Object gatingLock = new Object();
    private volatile Sequence[] gating = {};
    /* Everything before was published; what is behind is not overwritten yet. Kept up while consumers do not. */
    private long published;
    /* The farthest position at which a consumer has joined. */
    private long joined;
    private volatile @Nullable RingFailure failure;

    /**
     * @param capacity of the ring
     * @param room     how many positions may at most be claimed and not yet passed
     */
    Sequencer(int capacity, int room) {
        this.capacity = capacity;
        this.room = room;
        this.grant = capacity / 4;
        this.landmarks = new Landmarks(capacity);
    }

    /** Claims {@code count} positions side by side; returns the first of them, or {@link #NO_ROOM}. */
    abstract long tryClaim(int count);

    /** Makes {@code count} claimed positions from {@code first} on visible to consumers. */
    abstract void publish(long first, int count);

    /** Returns the end of what has been claimed so far. */
    abstract long claimed();

    /** Returns the barrier of a consumer that reads what is published. */
    abstract SequenceBarrier newBarrier();

    /** Returns the end of what is published without a gap from {@code from} on, or some position before that end; once {@code from} itself. */
    abstract long publishedFrom(long from);

    /**
     * Raises the limit to {@code end} or beyond, if the consumers have made room.
     *
     * @throws RingFailedException if a consumer has failed
     */
    final boolean raiseLimit(long next, long end) {
        return minimumGating(next) + room >= end ? raiseLimitLocked(next, end) : throwIfFailed();
    }

    private boolean raiseLimitLocked(long next, long end) {
        synchronized (gatingLock) {
            throwIfFailed();
            long most = released(next) + room;
            if (most < end) {
                return false;
            }
            landmarks.pass(next);
            long raised = Math.min(most, end + grant);
            if (raised > limit.getPlain()) {
                granted.setVolatile(raised);
                limit.setVolatile(raised);
                limitChanged(raised);
                // Observers must not see what is written within the limit before they see the limit.
                VarHandle.storeStoreFence();
            }
            return true;
        }
    }

    /** Returns the position before which neither a consumer nor a publisher needs anything any more. */
    private long released(long next) {
        Sequence[] consumers = gating;
        long passed = minimumGating(next);
        if (consumers.length > 0 && published >= joined) {
            published = Math.max(published, passed);
            return passed;
        }
        long goal = consumers.length > 0 ? joined : next;
        for (long end = published; end < goal && (end = publishedFrom(end)) > published; ) {
            published = end;
        }
        return Math.min(passed, published);
    }

    /** Returns how far the slowest gating consumer has come, or {@code none} if there is no such consumer. */
    final long minimumGating(long none) {
        long minimum = none;
        for (Sequence consumer : gating) {
            minimum = Math.min(minimum, consumer.getAcquire());
        }
        return minimum;
    }

    /** Makes publishers wait for a consumer that stands at the end of what is claimed now; returns that position. */
    final long addGating(Sequence consumer) {
        synchronized (gatingLock) {
            consumer.setRelease(Math.max(consumer.getPlain(), claimed()));
            append(consumer);
            joined = Math.max(joined, consumer.getPlain());
            return consumer.getPlain();
        }
    }

    /** Makes publishers wait for a consumer that is behind nobody they wait for already. */
    final void addGatingAt(Sequence consumer, long position) {
        addGatingAt(consumer, oldest -> position);
    }

    /**
     * Makes publishers wait for a consumer at the position that {@code where} returns, given the oldest possible one, while none of them
     * can go on; returns that position.
     */
    final long addGatingAt(Sequence consumer, LongUnaryOperator where) {
        synchronized (gatingLock) {
            long oldest = granted.getPlain() - room;
            long position = where.applyAsLong(oldest);
            if (position < oldest) {
                throw new IllegalArgumentException("position " + position + " may be overwritten already; the oldest "
                        + "that a consumer can join at is " + oldest);
            }
            consumer.setRelease(position);
            append(consumer);
            joined = Math.max(joined, position);
            return position;
        }
    }

    /** Makes publishers wait, if they do not yet, for a consumer that some gating one is behind, where it stands. */
    final void addGatingInPlace(Sequence consumer) {
        synchronized (gatingLock) {
            if (!Arrays.asList(gating).contains(consumer)) {
                append(consumer);
            }
        }
    }

    /** Makes publishers wait for {@code consumer} no more; returns whether they did. */
    final boolean removeGating(Sequence consumer) {
        synchronized (gatingLock) {
            Sequence[] rest = Arrays.stream(gating).filter(s -> s != consumer).toArray(Sequence[]::new);
            boolean removed = rest.length < gating.length;
            gating = rest;
            return removed;
        }
    }

    /**
     * Returns whether it is consumers alone that a claim waits for, and that wake whoever waits. Where there are none, or one has
     * joined beyond an open claim, it may be the publication of that claim, which wakes no publisher.
     */
    final boolean consumersMakeRoom() {
        synchronized (gatingLock) {
            return gating.length > 0 && published >= joined;
        }
    }

    private void append(Sequence consumer) {
        Sequence[] more = Arrays.copyOf(gating, gating.length + 1);
        more[gating.length] = consumer;
        gating = more;
    }

    /** Makes every further claim fail with {@code reason}; the first reason stays. */
    final void fail(RingFailure reason) {
        synchronized (gatingLock) {
            if (failure == null) {
                failure = reason;
                limit.setVolatile(NOTHING_ANY_MORE);
                limitChanged(NOTHING_ANY_MORE);
            }
        }
    }

    /** Returns the oldest position that no publisher may be overwriting; for observers. */
    final long oldestKept() {
        return granted.getAcquire() - room;
    }

    /** Returns a position at or behind {@code position} at which something begins, or the end of what is claimed; for observers. */
    final long landmarkFrom(long position) {
        return landmarks.from(position, claimed());
    }

    /** Called with each new limit, by one thread at a time. */
    void limitChanged(long newLimit) {
    }

    final @Nullable RingFailure failure() {
        return failure;
    }

    private boolean throwIfFailed() {
        RingFailure reason = failure;
        if (reason != null) {
            throw new RingFailedException(reason);
        }
        return false;
    }
}
