package io.slipstream.core.sequencer;

/** Stays behind the first event that one of many publishers has claimed and not yet published. */
public final class PublishedBarrier extends RingBarrier {
    private final MultiSequencer sequencer;

    public PublishedBarrier(MultiSequencer sequencer) {
        super(sequencer);
        this.sequencer = sequencer;
    }

    @Override
    public long available(long next, int most) {
        return sequencer.published(next, most);
    }

    @Override
    public long endOfAll(long next, int most, long found) {
        return found - next < most ? found : sequencer.claimed();
    }

    @Override
    public long joinPosition(long oldest) {
        return sequencer.claimed();
    }
}
