package io.slipstream.core.ring;

import io.slipstream.core.memory.PaddedLong;
import io.slipstream.core.memory.Padding;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.sequence.SequenceBarrier;
import io.slipstream.core.sequencer.Gating;
import io.slipstream.core.sequencer.RingBarrier;
import io.slipstream.core.sequencer.RingFailure;
import io.slipstream.core.sequencer.Sequencer;
import io.slipstream.core.sequencer.SequencesBarrier;
import io.slipstream.core.thread.Patience;
import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.Sleepers;
import io.slipstream.core.thread.WaitStrategy;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a ring of events and a ring of frames have in common: positions are claimed, published, consumed and passed.
 *
 * <p>The object itself is padded, because publishers and consumers read its fields all the time and a neighbour on the
 * heap that is often written would slow them down.
 *
 * <p>Consumers and signals may be added and removed at any time; the methods that do so say from which position on.
 */
public abstract sealed class Ring extends Padding permits RingBufferState, FrameRingState {
    /** What a claim returns when there is no room at present. */
    public static final long NO_ROOM = Sequencer.NO_ROOM;

    /** The longest sleep of a publisher that waits for the publication of another one, which does not wake it. */
    private static final long LONGEST_UNWOKEN_SLEEP_NANOS = 1_000_000;

    final Sequencer sequencer;

    private final WhenFull whenFull;
    private final Patience patience;
    private final Sleepers publishersAsleep = new Sleepers();
    private final PaddedLong refused = new PaddedLong(0);
    private final PaddedLong dropped = new PaddedLong(0);
    private final RingFullException full;
    private volatile Signal[] signals = {};
    /* Never taken back, so that publications fence also while nobody is to be woken, and miss nobody who joins. */
    private volatile boolean wakes;

    Ring(Sequencer sequencer, WaitStrategy publishersWait, WhenFull whenFull) {
        this.sequencer = sequencer;
        this.whenFull = Objects.requireNonNull(whenFull, "whenFull");
        this.full = new RingFullException(sequencer.capacity, this instanceof FrameRing ? "bytes" : "events");
        this.patience = new Patience(Objects.requireNonNull(publishersWait, "publishersWait"), publishersAsleep);
    }

    /** Claims {@code count} events, or room for a message of {@code count} bytes, if there is room. */
    abstract long attempt(int count);

    /** Returns the capacity in events or bytes. */
    public final int capacity() {
        return sequencer.capacity;
    }

    /** Returns how far publishers have come: the end of what is claimed or, with one publisher, published. */
    public final long claimed() {
        return sequencer.claimed();
    }

    /** Returns what is not yet passed by every gating consumer, in events or bytes; an estimate while others work. */
    public final long depth() {
        long passed = sequencer.minimumGating(Long.MAX_VALUE);
        return Math.max(0, sequencer.claimed() - passed);
    }

    /**
     * Returns how many claims found no room at first, whether they then waited, failed or gave up; those dropped count
     * by themselves.
     */
    public final long refused() {
        return refused.getAcquire();
    }

    /** Returns how many events or frames were dropped because there was no room. */
    public final long dropped() {
        return dropped.getAcquire();
    }

    /** Returns why claims fail, or null while they do not. */
    public final @Nullable String failure() {
        RingFailure failure = sequencer.failure();
        return failure == null ? null : failure.reason();
    }

    /**
     * Makes publishers wait for {@code consumer}, which is moved to the end of what is claimed (with one publisher:
     * published) at this moment if it stands before it.
     *
     * @return the position of the consumer: it will see everything from there on
     * @throws IllegalArgumentException if it stands ahead of all claims, or publishers wait for it already
     */
    public final long addGating(Sequence consumer) {
        return sequencer.addGating(Objects.requireNonNull(consumer, "consumer"));
    }

    /**
     * Makes publishers wait for {@code consumer}, which is moved to {@code position}.
     *
     * <p>Publishers are granted room before they claim it, up to a quarter of the ring at a time. What stands where
     * they may write next counts as overwritten, even while it can still be read.
     *
     * @throws IllegalArgumentException if what is there may be overwritten already, the position is negative or ahead
     *                                  of all claims, or publishers wait for the consumer already; in the first case
     *                                  the message says the oldest position that is possible
     */
    public final void addGating(Sequence consumer, long position) {
        sequencer.addGatingAt(Objects.requireNonNull(consumer, "consumer"), position);
    }

    /**
     * Makes publishers wait for {@code consumer}, which is moved to where {@code barrier} lets it begin; returns that
     * position.
     *
     * @throws IllegalArgumentException if the barrier is one of another ring, or publishers wait neither for what is
     *                                  before it nor for anybody behind that
     */
    public final long addGating(Sequence consumer, SequenceBarrier barrier) {
        RingBarrier ofRing = RingBarrier.of(barrier);
        ofRing.requireOf(sequencer);
        return sequencer.addGatingAt(consumer, ofRing::joinPosition);
    }

    /** Makes publishers wait for {@code consumer} no more; returns whether they did. */
    public final boolean removeGating(Sequence consumer) {
        boolean removed = sequencer.removeGating(consumer);
        roomMade();
        return removed;
    }

    /**
     * Makes every later publication wake the thread that sleeps on {@code signal}. One that runs beside this call may
     * miss the first signal that a ring is ever given, which is therefore added before its thread starts.
     */
    public final synchronized void addSignal(Signal signal) {
        Objects.requireNonNull(signal, "signal");
        wakes = true;
        Signal[] more = Arrays.copyOf(signals, signals.length + 1);
        more[signals.length] = signal;
        signals = more;
    }

    /** Makes publications wake {@code signal} no more. */
    public final synchronized void removeSignal(Signal signal) {
        signals = Arrays.stream(signals).filter(s -> s != signal).toArray(Signal[]::new);
    }

    /** Returns the barrier of a consumer behind {@code upstream}, or behind the publishers if there is none. */
    public final SequenceBarrier newBarrier(Sequence... upstream) {
        return upstream.length == 0 ? publishedBarrier() : new SequencesBarrier(sequencer, List.of(upstream));
    }

    /**
     * Makes every claim from now on fail with {@link RingFailedException}, waiting ones included; for whoever consumes
     * and cannot go on. The first reason stays.
     */
    public final void fail(String reason, @Nullable Throwable cause) {
        sequencer.fail(new RingFailure(Objects.requireNonNull(reason, "reason"), cause, RingFailedException::new));
        publishersAsleep.wakeAll();
    }

    /** Tells publishers that wait that a gating consumer has moved; consumers call it after a batch. */
    public final void roomMade() {
        if (patience.isWakeable()) {
            publishersAsleep.wakeAll();
        }
    }

    /**
     * For the graph of this library.
     *
     * @hidden
     */
    @SuppressWarnings("exports")
    public final Sequencer sequencer() {
        return sequencer;
    }

    RingBarrier publishedBarrier() {
        return sequencer.newBarrier();
    }

    final void wakeConsumers() {
        if (wakes) {
            VarHandle.fullFence();
            Signal.wakeAllFenced(signals);
        }
    }

    final long refuse() {
        refused.getAndAdd(1);
        return NO_ROOM;
    }

    /**
     * Does what the policy says when a publication has found no room; returns a claim, or {@link #NO_ROOM} if it was
     * dropped.
     *
     * @param count    as in {@link #attempt}
     * @param messages how many events or frames that is
     */
    final long claimWhenFull(int count, int messages) {
        switch (whenFull) {
            case WAIT -> {
                return awaitRoom(count, Long.MAX_VALUE);
            }
            case FAIL -> {
                refused.getAndAdd(1);
                throw full;
            }
            default -> {
                dropped.getAndAdd(messages);
                return NO_ROOM;
            }
        }
    }

    /**
     * Waits for room as the wait strategy says.
     *
     * @param nanos at most so long; {@link Long#MAX_VALUE} for ever
     * @return the claim, or {@link #NO_ROOM} when the time is over
     */
    final long awaitRoom(int count, long nanos) {
        refused.getAndAdd(1);
        long deadline = nanos == Long.MAX_VALUE ? 0 : System.nanoTime() + nanos;
        boolean interrupted = false;
        Sleepers.Place place = null;
        try {
            for (int round = 0; ; round = Patience.next(round)) {
                // An interrupt would end every sleep at once, so it is kept for the caller.
                interrupted |= Thread.interrupted();
                place = patience.prepare(round);
                Gating wakers = place == null ? null : sequencer.whoMakesRoom();
                long position = attempt(count);
                if (position >= 0) {
                    return position;
                }
                // Only now, so that what was made room for during the last sleep is not missed.
                long left = nanos == Long.MAX_VALUE ? nanos : deadline - System.nanoTime();
                if (left <= 0) {
                    return NO_ROOM;
                }
                boolean isWoken = wakers != null && wakers == sequencer.whoMakesRoom();
                patience.await(round, place, isWoken ? left : Math.min(left, LONGEST_UNWOKEN_SLEEP_NANOS));
            }
        } finally {
            patience.end(place);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
