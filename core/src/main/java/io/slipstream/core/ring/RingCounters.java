package io.slipstream.core.ring;

import io.slipstream.core.counters.Counter;
import io.slipstream.core.counters.CounterGroup;
import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.SampledCounters;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Shows the state of a ring: capacity, depth, refused, dropped, how far publishers have come, and the lag of each
 * consumer that was named. It is for rings whose consumers are pollers or stages of one's own;
 * {@link io.slipstream.core.graph.GraphCounters} shows the stages of a graph by itself.
 *
 * <p>What an observer has missed is known to its thread alone, which may set a counter of its own to it.
 */
public final class RingCounters extends SampledCounters<Ring> {
    private final Ring ring;
    private final Counters counters;
    private final String owner;
    private final CounterGroup ofRing;
    private final Counter depth;
    private final Counter claimed;
    private final Counter refused;
    private final Counter dropped;
    private final Map<String, Lag> lags = new LinkedHashMap<>();
    /* The values of the map, for copies that allocate nothing. */
    private Lag[] shown = {};

    private record Lag(Sequence consumer, CounterGroup group, Counter counter) {}

    /**
     * Adds the counters of {@code ring}: five, and one for each call of {@link #addLag}.
     *
     * @param owner    the name under which they are shown
     * @param interval between two copies
     * @throws IllegalStateException    if there are not enough places for them; none is taken then
     * @throws IllegalArgumentException if the owner is too long for a counter
     */
    public RingCounters(Ring ring, Counters counters, String owner, Duration interval) {
        super(() -> ring, counters, owner, interval);
        this.ring = ring;
        this.counters = counters;
        this.owner = owner;
        ofRing = new CounterGroup(counters, owner);
        ofRing.add(CounterType.CAPACITY, "capacity").setRelease(ring.capacity());
        depth = ofRing.add(CounterType.DEPTH, "depth");
        claimed = ofRing.add(CounterType.POSITION, "claimed");
        refused = ofRing.add(CounterType.REFUSED, "refused");
        dropped = ofRing.add(CounterType.DROPPED, "dropped");
        copy();
    }

    /**
     * Shows how far {@code consumer} is behind what is claimed, such as {@code poller.sequence()}. Only for the thread
     * that runs the duty, or before it runs.
     *
     * @throws IllegalStateException    if all places of the counters are taken
     * @throws IllegalArgumentException if there is a lag of this name already, or the name is too long
     */
    public RingCounters addLag(String name, Sequence consumer) {
        Objects.requireNonNull(consumer, "consumer");
        if (lags.containsKey(name)) {
            throw new IllegalArgumentException("the lag of " + name + " is shown already under " + owner
                    + "; give each consumer a name of its own");
        }
        CounterGroup group = new CounterGroup(counters, owner);
        Lag lag = new Lag(consumer, group, group.add(CounterType.LAG, "lag of " + name));
        lag.counter.setRelease(behind(consumer));
        lags.put(name, lag);
        shown = lags.values().toArray(Lag[]::new);
        return this;
    }

    /**
     * Shows the lag of a consumer that has ended no more, and gives its place back. Only for the thread that runs the
     * duty, or before it runs.
     *
     * @return whether it was shown
     */
    public boolean removeLag(String name) {
        Lag lag = lags.remove(name);
        if (lag == null) {
            return false;
        }
        lag.group.free();
        shown = lags.values().toArray(Lag[]::new);
        return true;
    }

    @Override
    protected void prepare(Ring sample) {
        depth.setRelease(ring.depth());
        claimed.setRelease(ring.claimed());
        refused.setRelease(ring.refused());
        dropped.setRelease(ring.dropped());
        for (Lag lag : shown) {
            lag.counter.setRelease(behind(lag.consumer));
        }
    }

    /** The consumer is read first, as it is never before the publishers then. */
    private long behind(Sequence consumer) {
        long position = consumer.getAcquire();
        return Math.max(0, ring.claimed() - position);
    }

    /** Gives all places back; nothing is shown any more, and this must not be run again. */
    public void free() {
        lags.values().forEach(lag -> lag.group.free());
        ofRing.free();
    }
}
