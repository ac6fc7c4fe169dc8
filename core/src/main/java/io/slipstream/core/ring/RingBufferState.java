package io.slipstream.core.ring;

import io.slipstream.core.sequencer.Aborts;
import io.slipstream.core.sequencer.Sequencer;
import io.slipstream.core.thread.WaitStrategy;

/** The fields of a ring of events, between the paddings. */
abstract sealed class RingBufferState extends Ring permits RingBuffer {
    final Object[] entries;
    volatile Aborts aborts = Aborts.NONE;

    RingBufferState(Sequencer sequencer, WaitStrategy publishersWait, WhenFull whenFull) {
        super(sequencer, publishersWait, whenFull);
        this.entries = new Object[sequencer.capacity];
    }
}
