package io.slipstream.core.sequencer;

import io.slipstream.core.sequence.Sequence;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Which consumers of a ring have pollers behind them, so that none of them ends under their feet: a poller behind one
 * that has ended would see nothing more, and hold publishers up for ever. Callable by any thread.
 */
public final class Followers {
    private final Map<Sequence, Integer> counts = new IdentityHashMap<>();
    /* Sequences are told apart by identity, as they do not override equals. */
    private final Set<Sequence> ended = Collections.newSetFromMap(new WeakHashMap<>());

    Followers() {}

    /**
     * Notes a poller behind {@code upstream}.
     *
     * @throws IllegalArgumentException if one of them has ended
     */
    public synchronized void add(List<Sequence> upstream) {
        for (Sequence sequence : upstream) {
            if (ended.contains(sequence)) {
                throw new IllegalArgumentException("no poller can be behind a consumer that has ended, at " + sequence
                        + "; make it behind one that goes on, or behind the publishers");
            }
        }
        upstream.forEach(sequence -> counts.merge(sequence, 1, Integer::sum));
    }

    /** Notes that a poller behind {@code upstream} is none any more. */
    public synchronized void remove(List<Sequence> upstream) {
        upstream.forEach(sequence -> counts.computeIfPresent(sequence, (key, count) -> count == 1 ? null : count - 1));
    }

    /** Notes that the consumer at {@code sequence} ends; returns false, and notes nothing, if a poller is behind it. */
    public synchronized boolean tryEnd(Sequence sequence) {
        if (counts.containsKey(sequence)) {
            return false;
        }
        ended.add(sequence);
        return true;
    }

    /** Notes that the consumer at {@code sequence} is one again. */
    synchronized void begin(Sequence sequence) {
        ended.remove(sequence);
    }
}
