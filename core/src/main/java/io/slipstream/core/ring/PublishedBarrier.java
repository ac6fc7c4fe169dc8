package io.slipstream.core.ring;

/** Stays behind the first event that one of many publishers has claimed and not yet published. */
final class PublishedBarrier extends SequenceBarrier {
    private final MultiSequencer sequencer;

    PublishedBarrier(MultiSequencer sequencer) {
        super(sequencer);
        this.sequencer = sequencer;
    }

    @Override
    public long available(long next, int most) {
        return sequencer.published(next, most);
    }

    @Override
    long endOfAll(long next, int most, long found) {
        return found - next < most ? found : sequencer.claimed();
    }

    @Override
    long joinPosition(long oldest) {
        return sequencer.claimed();
    }
}
