package io.slipstream.benchmarks.exchange;

import java.util.Arrays;

/** Commands as numbers, five for each, so that reading them costs every competitor the same and little. */
final class Commands {
    static final int LIMIT_BUY = 0;
    static final int LIMIT_SELL = 1;
    static final int IMMEDIATE_BUY = 2;
    static final int IMMEDIATE_SELL = 3;
    static final int CANCEL = 4;
    /** To another price; the quantity is the order's total, unchanged. */
    static final int MOVE = 5;

    static final int KINDS = 6;

    private static final int KIND = 0;
    private static final int OWNER = 1;
    private static final int ORDER_ID = 2;
    private static final int PRICE = 3;
    private static final int QUANTITY = 4;
    private static final int STRIDE = 5;

    private final long[] words;
    private int size;

    Commands(int capacity) {
        this.words = new long[capacity * STRIDE];
    }

    int size() {
        return size;
    }

    void add(int kind, long owner, long orderId, long price, long quantity) {
        int base = size++ * STRIDE;
        words[base + KIND] = kind;
        words[base + OWNER] = owner;
        words[base + ORDER_ID] = orderId;
        words[base + PRICE] = price;
        words[base + QUANTITY] = quantity;
    }

    int kind(int command) {
        return (int) words[command * STRIDE + KIND];
    }

    long owner(int command) {
        return words[command * STRIDE + OWNER];
    }

    long orderId(int command) {
        return words[command * STRIDE + ORDER_ID];
    }

    long price(int command) {
        return words[command * STRIDE + PRICE];
    }

    long quantity(int command) {
        return words[command * STRIDE + QUANTITY];
    }

    /** How many commands there are of each kind. */
    int[] countByKind() {
        int[] counts = new int[KINDS];
        for (int command = 0; command < size; command++) {
            counts[kind(command)]++;
        }
        return counts;
    }

    @Override
    public String toString() {
        return size + " commands, of each kind " + Arrays.toString(countByKind());
    }
}
