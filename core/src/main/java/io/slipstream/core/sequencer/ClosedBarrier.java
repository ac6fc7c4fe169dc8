package io.slipstream.core.sequencer;

/** The barrier of a poller that was closed: it may not read what publishers may be overwriting. */
public final class ClosedBarrier extends RingBarrier {
    public ClosedBarrier() {
        super(null);
    }

    @Override
    public long available(long next, int most) {
        throw closed();
    }

    @Override
    public long joinPosition(long oldest) {
        throw closed();
    }

    private static IllegalStateException closed() {
        return new IllegalStateException(
                "the poller was closed, and publishers do not wait for it any more; make a " + "new one");
    }
}
