package io.slipstream.core.ring;

/** The barrier of a poller that was closed: it may not read what publishers may be overwriting. */
final class ClosedBarrier extends SequenceBarrier {
    ClosedBarrier() {
        super(null);
    }

    @Override
    public long available(long next, int most) {
        throw closed();
    }

    @Override
    long joinPosition(long oldest) {
        throw closed();
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("the poller was closed, and publishers do not wait for it any more; make a new one");
    }
}
