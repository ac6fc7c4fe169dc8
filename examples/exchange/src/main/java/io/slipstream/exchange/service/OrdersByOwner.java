package io.slipstream.exchange.service;

import io.slipstream.exchange.Exchange;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Which resting orders each owner has, oldest first.
 *
 * <pre>
 *   lowest bits of the owner ─▶ bucket ─▶ log: | owner | order id | arrival | owner | order id | arrival | ...
 * </pre>
 *
 * <p>An order is added when it comes to rest and not looked for when it leaves. When a log is full, those that do not
 * rest any more are dropped, and it grows if half of it or more still rests. So adding costs a constant number of steps
 * on average, leaving costs none, and a log takes room in proportion to the most orders that it had at a time.
 *
 * <p>The sessions of a service that exist at the same time differ in their lowest 12 bits, and so have a bucket each.
 */
final class OrdersByOwner {
    private static final int BUCKETS = 1 << 12;
    private static final int STRIDE = 3;
    private static final int FIRST_LENGTH = 16 * STRIDE;
    private static final long[] EMPTY = {};

    private final Exchange exchange;
    private final long[][] logs = new long[BUCKETS][];
    private final int[] lengths = new int[BUCKETS];

    OrdersByOwner(Exchange exchange) {
        this.exchange = exchange;
        Arrays.fill(logs, EMPTY);
    }

    /** Adds an order that has just come to rest. */
    void add(long owner, long orderId) {
        int bucket = bucket(owner);
        if (lengths[bucket] == logs[bucket].length) {
            makeRoom(bucket);
        }
        long[] log = logs[bucket];
        int at = lengths[bucket];
        log[at] = owner;
        log[at + 1] = orderId;
        log[at + 2] = exchange.arrivalOf(owner, orderId);
        lengths[bucket] = at + STRIDE;
    }

    /** Adds orders as if each had just come to rest, in the order in which they once did; owner and id by turns. */
    void addAll(long[] owners, long[] orderIds, int count) {
        Integer[] byArrival = new Integer[count];
        Arrays.setAll(byArrival, i -> i);
        Arrays.sort(byArrival, Comparator.comparingLong(i -> exchange.arrivalOf(owners[i], orderIds[i])));
        for (int i : byArrival) {
            add(owners[i], orderIds[i]);
        }
    }

    /** Cancels all resting orders of an owner, oldest first. */
    void cancelAll(long owner) {
        int bucket = bucket(owner);
        long[] log = logs[bucket];
        for (int at = 0; at < lengths[bucket]; at += STRIDE) {
            if (log[at] == owner && rests(log, at)) {
                exchange.cancel(exchange.instrumentOf(owner, log[at + 1]), owner, log[at + 1]);
            }
        }
        lengths[bucket] = dropThoseThatLeft(log, lengths[bucket]);
        if (lengths[bucket] == 0) {
            logs[bucket] = EMPTY;
        }
    }

    private void makeRoom(int bucket) {
        long[] log = logs[bucket];
        int length = dropThoseThatLeft(log, log.length);
        lengths[bucket] = length;
        if (length >= log.length / 2) {
            logs[bucket] = Arrays.copyOf(log, Math.max(FIRST_LENGTH, 2 * log.length));
        }
    }

    private int dropThoseThatLeft(long[] log, int length) {
        int kept = 0;
        for (int at = 0; at < length; at += STRIDE) {
            if (rests(log, at)) {
                System.arraycopy(log, at, log, kept, STRIDE);
                kept += STRIDE;
            }
        }
        return kept;
    }

    private boolean rests(long[] log, int at) {
        return exchange.arrivalOf(log[at], log[at + 1]) == log[at + 2];
    }

    private static int bucket(long owner) {
        return (int) owner & (BUCKETS - 1);
    }
}
