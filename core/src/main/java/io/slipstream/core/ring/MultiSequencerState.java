package io.slipstream.core.ring;

/** The fields of the sequencer, between the paddings. */
abstract sealed class MultiSequencerState extends Sequencer permits MultiSequencer {
    final Sequence tail = new Sequence();
    final int[] stamps;
    final int slotShift;
    final int lapShift;

    MultiSequencerState(int capacity, int slotShift) {
        super(capacity, capacity);
        this.slotShift = slotShift;
        this.lapShift = Integer.numberOfTrailingZeros(capacity);
        this.stamps = new int[capacity >>> slotShift];
    }
}
