package io.slipstream.core.sequencer;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

import io.slipstream.core.memory.Padding;
import io.slipstream.core.sequence.Sequence;
import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the positions of a ring to its publishers, and never more than there is room for.
 *
 * <pre>
 *   passed by all gating consumers      published     claimed       limit &lt;= passed + room
 *   ───────────────┬────────────────────────┬────────────┬────────────┬──────▶ position
 *                  └── to be consumed ──────┘            └─ granted ──┘
 * </pre>
 *
 * <p>A claim compares with the <b>limit</b>, which stands on cache lines of its own and changes rarely. Only when the
 * limit is used up does a publisher look at the consumers and raise it, by at most a quarter of the ring. So publishers
 * seldom touch the lines that the consumers write. The limit also tells observers which slots may be about to be
 * overwritten, and a failure takes it away, so that the next claim of every publisher fails.
 *
 * <p>The limit also stays within one lap of the first position that was claimed and not yet published, so that nobody
 * writes where another publisher is still writing. Consumers see to that by themselves, as they pass only what is
 * published. Where there are none, or one has joined beyond such a claim, publishers look for the end of what is
 * published.
 *
 * <p>No publisher waits for another thread here, whatever that one is doing: a limit is granted by a compare-and-set,
 * and who joins or leaves replaces the set of gating consumers, as {@link Gating} tells.
 */
public abstract sealed class Sequencer extends Padding permits SingleSequencerState, MultiSequencerState {
    /** What a claim returns when there is no room at present. */
    public static final long NO_ROOM = -1;

    /** The limit of a ring that has failed. */
    public static final long NOTHING_ANY_MORE = Long.MIN_VALUE;

    private static final VarHandle GATING =
            fieldVarHandle(lookup(), "gating", VarHandle.class, Sequencer.class, Gating.class);
    private static final VarHandle FAILURE =
            fieldVarHandle(lookup(), "failure", VarHandle.class, Sequencer.class, RingFailure.class);

    /** Positions in the ring: events or bytes. A power of two. */
    public final int capacity;

    /** Claims end at or below this. */
    public final Sequence limit = new Sequence();

    private final Landmarks landmarks;
    private final int room;
    private final int grant;
    /*
     * Everything before was published. Kept up while consumers do not look at it, and moved before a limit is granted,
     * which is never more than the room beyond it. So as long as it stands, nothing behind it is overwritten.
     */
    private final Sequence published = new Sequence();
    /* Held by those who join and leave, so that they take turns. */
    private final Object joining = new Object();
    private final Followers followers = new Followers();
    private final Set<Thread> sleepingStages = ConcurrentHashMap.newKeySet();
    private volatile Gating gating = Gating.nobody();
    private volatile @Nullable RingFailure failure;
    /* Guarded by this. */
    private @Nullable Object graph;

    /**
     * @param capacity of the ring
     * @param room     how many positions may at most be claimed and not yet passed
     */
    public Sequencer(int capacity, int room) {
        this.capacity = capacity;
        this.room = room;
        this.grant = capacity / 4;
        this.landmarks = new Landmarks(capacity);
    }

    /** Claims {@code count} positions side by side; returns the first of them, or {@link #NO_ROOM}. */
    public abstract long tryClaim(int count);

    /** Makes {@code count} claimed positions from {@code first} on visible to consumers. */
    public abstract void publish(long first, int count);

    /** Returns the end of what has been claimed so far. */
    public abstract long claimed();

    /**
     * Returns the end of all claims, published or not; while the publisher of a ring for one works, perhaps an older
     * one.
     */
    public abstract long endOfClaims();

    /** Returns whether what begins at {@code position} was published, and nothing a lap later at the same place. */
    public abstract boolean isAvailable(long position);

    /** Returns the barrier of a consumer that reads what is published. */
    public abstract RingBarrier newBarrier();

    /**
     * Returns the end of what is published without a gap from {@code from} on, or some position before that end, or
     * {@code from} itself. When what is there is overwritten meanwhile, any position, but then
     * {@link #isStillPublishedUpTo} denies {@code from}.
     *
     * @param goal where it may stop to look
     */
    public abstract long publishedFrom(long from, long goal);

    /**
     * Returns whether {@code position} is the end of what is known to be published, so that nothing behind it was
     * overwritten until now.
     */
    public final boolean isStillPublishedUpTo(long position) {
        VarHandle.loadLoadFence();
        return published.getAcquire() == position;
    }

    /**
     * Raises the limit to {@code end} or beyond, if the consumers have made room.
     *
     * @throws RuntimeException that of {@link #failure}, if a consumer has failed
     */
    public final boolean raiseLimit(long next, long end) {
        while (true) {
            throwIfFailed();
            Gating set = presentGating();
            long granted = set.granted();
            if (granted >= end) {
                // By another publisher, which has not told it yet.
                raiseLimitTo(granted);
                return true;
            }
            long passed = set.minimum(next);
            if (!set.isStill(granted)) {
                // One of them may have left and joined again, with the same sequence.
                continue;
            }
            long most = released(set, passed, next) + room;
            if (most >= end) {
                landmarks.pass(next);
                long raised = Math.min(most, end + grant);
                if (set.tryGrant(granted, raised)) {
                    raiseLimitTo(raised);
                    return true;
                }
            } else if (set.isStill(granted)) {
                return false;
            }
        }
    }

    private void raiseLimitTo(long granted) {
        long present = limit.getAcquire();
        // A failure has taken the limit away, and another publisher may have raised it further.
        while (present < granted && present != NOTHING_ANY_MORE && !limit.compareAndSet(present, granted)) {
            present = limit.getAcquire();
        }
        limitChanged(granted);
        // Observers must not see what is written within the limit before they see that it was granted.
        VarHandle.storeStoreFence();
    }

    /**
     * Returns the position before which neither a consumer nor a publisher needs anything any more, given what all
     * consumers have passed.
     */
    private long released(Gating set, long passed, long next) {
        long known = published.getAcquire();
        if (set.consumers.length > 0 && known >= set.joined) {
            while (known < passed && !published.compareAndSet(known, passed)) {
                known = published.getAcquire();
            }
            return passed;
        }
        long goal = set.consumers.length > 0 ? set.joined : next;
        while (known < goal) {
            long end = publishedFrom(known, goal);
            if (!published.compareAndSet(known, end)) {
                // Another publisher was faster, so what was found may have been overwritten meanwhile.
                known = published.getAcquire();
            } else if (end == known) {
                break;
            } else {
                known = end;
            }
        }
        return Math.min(passed, known);
    }

    /** Returns how far the slowest gating consumer has come, or {@code none} if there is no such consumer. */
    public final long minimumGating(long none) {
        return gating.minimum(none);
    }

    /** Returns the set that has not ended, which this puts into its place if nobody has. */
    private Gating presentGating() {
        Gating set = gating;
        for (Gating successor = set.successor(); successor != null; successor = set.successor()) {
            GATING.compareAndSet(this, set, successor);
            set = gating;
        }
        return set;
    }

    /** Makes {@code successor} the set, if nothing was granted beyond {@code granted}. */
    private boolean replace(Gating set, long granted, Gating successor) {
        boolean ended = set.tryEnd(granted, successor);
        presentGating();
        return ended;
    }

    /** Makes publishers wait for a consumer that stands at the end of what is claimed now; returns that position. */
    public final long addGating(Sequence consumer) {
        return addGatingAt(consumer, oldest -> Math.max(consumer.getPlain(), claimed()));
    }

    /** Makes publishers wait for a consumer that is behind nobody they wait for already. */
    public final void addGatingAt(Sequence consumer, long position) {
        addGatingAt(consumer, oldest -> position);
    }

    /**
     * Makes publishers wait for a consumer at the position that {@code where} returns, given the oldest possible one;
     * returns that position. If publishers were granted more meanwhile, {@code where} is asked again.
     *
     * @throws IllegalArgumentException if that position is older or ahead of all claims, or publishers wait for this
     *                                  consumer already
     */
    public final long addGatingAt(Sequence consumer, LongUnaryOperator where) {
        synchronized (joining) {
            while (true) {
                Gating set = gating;
                if (set.contains(consumer)) {
                    throw new IllegalArgumentException("publishers wait for this consumer already, which stands at "
                            + consumer
                            + "; remove it before you add it again");
                }
                long granted = set.granted();
                long oldest = Math.max(0, granted - room);
                long position = where.applyAsLong(oldest);
                if (position < oldest) {
                    throw new IllegalArgumentException("position " + position
                            + (position < 0 ? " is before the beginning" : " may be overwritten already")
                            + "; the oldest that a consumer can join at is " + oldest);
                }
                if (position > endOfClaims()) {
                    throw new IllegalArgumentException("position " + position + " is ahead of all claims, which end at "
                            + endOfClaims()
                            + "; a consumer joins there at the latest");
                }
                consumer.setRelease(position);
                if (replace(set, granted, set.with(consumer, position, granted))) {
                    followers.begin(consumer);
                    return position;
                }
            }
        }
    }

    /** Makes publishers wait, if they do not yet, for a consumer that some gating one is behind, where it stands. */
    public final void addGatingInPlace(Sequence consumer) {
        synchronized (joining) {
            Gating set = gating;
            long granted = set.granted();
            while (!set.contains(consumer) && !replace(set, granted, set.with(consumer, set.joined, granted))) {
                granted = set.granted();
            }
        }
    }

    /** Makes publishers wait for {@code consumer} no more; returns whether they did. */
    public final boolean removeGating(Sequence consumer) {
        synchronized (joining) {
            Gating set = gating;
            long granted = set.granted();
            while (set.contains(consumer) && !replace(set, granted, set.without(consumer, granted))) {
                granted = set.granted();
            }
            return set.contains(consumer);
        }
    }

    /** Notes that the calling thread runs a stage and sleeps until what is before that wakes it. */
    public final void beginSleepingStage() {
        sleepingStages.add(Thread.currentThread());
    }

    /** Notes that the calling thread runs such a stage no more. */
    public final void endSleepingStage() {
        sleepingStages.remove(Thread.currentThread());
    }

    /**
     * Requires that the calling thread may poll this ring.
     *
     * @throws IllegalStateException if it runs a stage of it and would sleep over what the poller waits for
     */
    public final void requireNoSleepingStage() {
        Thread thread = Thread.currentThread();
        if (sleepingStages.contains(thread)) {
            throw new IllegalStateException("a stage of this ring polls it on the thread " + thread.getName()
                    + ", which sleeps when that stage has nothing to do, and nobody wakes it for the poller. Make a"
                    + " stage of what polls, on the same thread if you like: graph.settings(handler).thread(name). Or"
                    + " poll on a thread of its own");
        }
    }

    /** Returns which consumers have pollers behind them. */
    public final Followers followers() {
        return followers;
    }

    /**
     * Returns the set of consumers if it is they alone that a claim waits for, and that wake whoever waits; else null.
     * Where there are none, or one has joined beyond an open claim, it may be the publication of that claim, which
     * wakes no publisher.
     */
    public final @Nullable Gating whoMakesRoom() {
        Gating set = gating;
        return set.consumers.length > 0 && published.getAcquire() >= set.joined ? set : null;
    }

    /** Makes every further claim fail with {@code reason}; the first reason stays. */
    public final void fail(RingFailure reason) {
        FAILURE.compareAndSet(this, null, reason);
        limit.setVolatile(NOTHING_ANY_MORE);
        limitChanged(NOTHING_ANY_MORE);
    }

    /** Returns the oldest position that no publisher may be overwriting; for observers. */
    public final long oldestKept() {
        return gating.granted() - room;
    }

    /**
     * Returns a position at or behind {@code position} at which something begins, or the end of what is claimed; for
     * observers.
     */
    public final long landmarkFrom(long position) {
        return landmarks.from(position, claimed());
    }

    /**
     * Called with each new limit, and with {@link #NOTHING_ANY_MORE} when there is none any more, perhaps by another
     * thread meanwhile.
     */
    public void limitChanged(long newLimit) {}

    public final @Nullable RingFailure failure() {
        return failure;
    }

    /**
     * Notes the graph of the ring, of which there is one at a time.
     *
     * @throws IllegalStateException if there is another one that has not ended
     */
    public final synchronized void enter(Object newGraph) {
        if (graph != null && graph != newGraph) {
            throw new IllegalStateException("this ring has a graph already, and a ring has one at a time: add the "
                    + "handler to that one, let it join"
                    + " while events flow, or use a poller");
        }
        graph = newGraph;
    }

    /** Notes that a graph has ended. */
    public final synchronized void exit(Object oldGraph) {
        if (graph == oldGraph) {
            graph = null;
        }
    }

    private boolean throwIfFailed() {
        RingFailure reason = failure;
        if (reason != null) {
            throw reason.newException();
        }
        return false;
    }
}
