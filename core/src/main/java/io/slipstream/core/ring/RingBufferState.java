package io.slipstream.core.ring;

import io.slipstream.core.thread.WaitStrategy;

/** The fields of a ring of events, between the paddings. */
abstract sealed class RingBufferState extends Ring permits RingBuffer {
    final Object[] entries;
    final WhenFull whenFull;
    volatile Aborts aborts = Aborts.NONE;

    RingBufferState(Sequencer sequencer, WaitStrategy publishersWait, WhenFull whenFull) {
        super(sequencer, publishersWait);
        this.whenFull = whenFull;
        this.entries = new Object[sequencer.capacity];
    }
}
