package io.slipstream.exchange;

/** Folds orders and numbers, in their order, to 64 bits. */
final class StateHash implements OrderVisitor {
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    private long value;

    @Override
    public void order(long owner, long orderId, Side side, OrderType type, long price, long quantity, long remaining) {
        add(owner);
        add(orderId);
        add(side.ordinal() * 2L + (type == OrderType.POST_ONLY ? 1 : 0));
        add(price);
        add(quantity);
        add(remaining);
    }

    /** Adds a number; stirs with the finalizer of SplitMix64 (Steele, Lea and Flood, 2014). */
    void add(long number) {
        long z = (value ^ number) + MULTIPLIER;
        z = (z ^ z >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ z >>> 27) * 0x94D0_49BB_1331_11EBL;
        value = z ^ z >>> 31;
    }

    long value() {
        return value;
    }
}
