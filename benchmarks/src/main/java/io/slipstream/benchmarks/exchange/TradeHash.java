package io.slipstream.benchmarks.exchange;

/** Folds trades in their order, so that two books made the same trades if, almost surely, their hashes are the same. */
final class TradeHash {
    private long value;
    private long count;

    void add(long makerOrderId, long price, long quantity) {
        value = (value * 31 + makerOrderId) * 0x9E37_79B9_7F4A_7C15L + (price * 31 + quantity);
        count++;
    }

    long value() {
        return value;
    }

    long count() {
        return count;
    }
}
