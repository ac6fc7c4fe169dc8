package io.slipstream.core.ring;

import org.jspecify.annotations.Nullable;

import java.util.function.LongToIntFunction;

/** The fields of the sequencer, between the paddings. */
abstract sealed class MultiSequencerState extends Sequencer permits MultiSequencer {
    final Sequence tail = new Sequence();
    final int[] stamps;
    final int slotShift;
    final int lapShift;
    final @Nullable LongToIntFunction size;

    MultiSequencerState(int capacity, int slotShift, @Nullable LongToIntFunction size) {
        super(capacity, capacity);
        this.slotShift = slotShift;
        this.lapShift = Integer.numberOfTrailingZeros(capacity);
        this.size = size;
        this.stamps = new int[capacity >>> slotShift];
    }
}
