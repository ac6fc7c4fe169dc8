package io.slipstream.core.sequencer;

import io.slipstream.core.sequence.Sequence;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stays behind the slowest of some sequences: the cursor of the one publisher, or earlier consumers. They are read in
 * the order in which they were given, which matters to those of a work share.
 */
public final class SequencesBarrier extends RingBarrier {
    private final Sequence first;
    private final Sequence[] others;

    public SequencesBarrier(@Nullable Sequencer owner, List<Sequence> sequences) {
        super(owner);
        first = sequences.getFirst();
        others = sequences.subList(1, sequences.size()).toArray(Sequence[]::new);
    }

    @Override
    public List<Sequence> upstream() {
        List<Sequence> all = new ArrayList<>(List.of(others));
        all.addFirst(first);
        return all;
    }

    @Override
    public long joinPosition(long oldest) {
        long slowest = available(0, 0);
        // A member of a share that has lost a race shows a position that it has long passed, for a moment; the first of
        // them never does.
        return slowest >= oldest ? slowest : first.getAcquire();
    }

    @Override
    public long available(long next, int most) {
        long minimum = first.getAcquire();
        for (Sequence other : others) {
            minimum = Math.min(minimum, other.getAcquire());
        }
        return minimum;
    }
}
