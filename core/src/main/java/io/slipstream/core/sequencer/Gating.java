package io.slipstream.core.sequencer;

import io.slipstream.core.sequence.Sequence;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A set of consumers that publishers wait for, and the limit that they were granted under it.
 *
 * <p>The set never changes. Whoever adds a consumer or removes one makes a successor, which begins with the limit that
 * was granted last, and then ends this set in the same step that makes sure that nothing more was granted under it.
 * That is what makes the position at which a consumer joins a defined one, and nobody waits for it: a publisher that
 * finds the set ended puts the successor in its place and goes on.
 */
public final class Gating {
    private static final long ENDED = Long.MIN_VALUE;

    public final Sequence[] consumers;

    /** The farthest position at which one of them, or of those before them, has joined. */
    public final long joined;

    /* With the highest bit set when the set has ended. */
    private final Sequence granted;
    /* Written before the set ends, and read by those who saw that it has. */
    private @Nullable Gating successor;

    private Gating(Sequence[] consumers, long joined, long granted) {
        this.consumers = consumers;
        this.joined = joined;
        this.granted = new Sequence(granted);
    }

    /** Returns the set of nobody, under which nothing was granted. */
    public static Gating nobody() {
        return new Gating(new Sequence[0], 0, 0);
    }

    /**
     * Returns a successor for the time when {@code granted} was granted, with a consumer that joins at
     * {@code position}.
     */
    public Gating with(Sequence consumer, long position, long granted) {
        Sequence[] more = Arrays.copyOf(consumers, consumers.length + 1);
        more[consumers.length] = consumer;
        return new Gating(more, Math.max(joined, position), granted);
    }

    /** Returns a successor for the time when {@code granted} was granted, without a consumer. */
    public Gating without(Sequence consumer, long granted) {
        return new Gating(
                Arrays.stream(consumers).filter(s -> s != consumer).toArray(Sequence[]::new), joined, granted);
    }

    public boolean contains(Sequence consumer) {
        return Arrays.asList(consumers).contains(consumer);
    }

    /** Returns how far the slowest consumer has come, or {@code none} if that is less or there is no consumer. */
    public long minimum(long none) {
        long minimum = none;
        for (Sequence consumer : consumers) {
            minimum = Math.min(minimum, consumer.getAcquire());
        }
        return minimum;
    }

    /** Returns the highest limit that was granted. */
    public long granted() {
        return granted.getAcquire() & ~ENDED;
    }

    /** Returns whether {@code last} is what was granted last and the set has not ended. */
    public boolean isStill(long last) {
        return granted.getAcquire() == last;
    }

    /** Grants {@code to}, if {@code from} is what was granted last and the set has not ended. */
    public boolean tryGrant(long from, long to) {
        return granted.compareAndSet(from, to);
    }

    /** Ends the set, if {@code last} is what was granted last. For one thread at a time. */
    public boolean tryEnd(long last, Gating successor) {
        this.successor = successor;
        return granted.compareAndSet(last, last | ENDED);
    }

    /** Returns what comes after this set, or null if it has not ended. */
    @Nullable
    Gating successor() {
        return granted.getAcquire() < 0 ? successor : null;
    }
}
