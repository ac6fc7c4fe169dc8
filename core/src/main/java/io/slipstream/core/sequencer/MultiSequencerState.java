package io.slipstream.core.sequencer;

import io.slipstream.core.sequence.Sequence;
import org.jspecify.annotations.Nullable;

import java.util.function.LongToIntFunction;

/** The fields of the sequencer, between the paddings. */
public abstract sealed class MultiSequencerState extends Sequencer permits MultiSequencer {
    public final Sequence tail = new Sequence();
    public final int[] stamps;
    public final int slotShift;
    public final int lapShift;
    public final @Nullable LongToIntFunction size;

    public MultiSequencerState(int capacity, int slotShift, @Nullable LongToIntFunction size) {
        super(capacity, capacity);
        this.slotShift = slotShift;
        this.lapShift = Integer.numberOfTrailingZeros(capacity);
        this.size = size;
        this.stamps = new int[capacity >>> slotShift];
    }
}
