package io.slipstream.cli.exchange;

import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.client.ExchangeClient;
import java.util.SplittableRandom;

/**
 * One trader's commands, from a seed: mostly limit orders around a price that wanders, and changes to the latest of
 * them.
 *
 * <p>Order ids grow by one from {@link #firstId}, so that a position in an array finds everything about an order.
 */
final class OrderFlow {
    private static final int RECENT = 64;
    private static final long MIDDLE = 10_000;
    private static final int SPREAD = 40;

    private final SplittableRandom random;
    private final int instruments;
    private final long firstId;
    private final long[] recentIds = new long[RECENT];
    private long nextId;
    private long middle = MIDDLE;

    /** Creates the flow of trader {@code number}. */
    OrderFlow(long seed, int number, int instruments) {
        this.random = new SplittableRandom(seed + number);
        this.instruments = instruments;
        this.firstId = ((long) number << 40) + 1;
        this.nextId = firstId;
    }

    /** Returns the id of the first order. */
    long firstId() {
        return firstId;
    }

    /** Returns how many orders were placed. */
    long placed() {
        return nextId - firstId;
    }

    /** Offers the next command; returns whether the client had room for it. */
    boolean offer(ExchangeClient client, long attachment) {
        int kind = random.nextInt(100);
        long recent = recentIds[random.nextInt(RECENT)];
        if (kind < 55 || recent == 0) {
            return place(client, kind < 5 ? OrderType.IMMEDIATE_OR_CANCEL : OrderType.LIMIT, attachment);
        }
        int instrument = instrumentOf(recent);
        return kind < 80
                ? client.offerReplace(instrument, recent, price(side(recent)), quantity(), attachment)
                : client.offerCancel(instrument, recent, attachment);
    }

    private boolean place(ExchangeClient client, OrderType type, long attachment) {
        long id = nextId;
        middle = Math.clamp(middle + random.nextInt(-1, 2), MIDDLE - 500, MIDDLE + 500);
        if (!client.offerPlace(instrumentOf(id), id, side(id), type, price(side(id)), quantity(), attachment)) {
            return false;
        }
        nextId++;
        recentIds[(int) (id % RECENT)] = id;
        return true;
    }

    private int instrumentOf(long id) {
        return (int) (id % instruments) + 1;
    }

    private static Side side(long id) {
        return Long.bitCount(id * 0x9E3779B97F4A7C15L) % 2 == 0 ? Side.BUY : Side.SELL;
    }

    private long price(Side side) {
        return middle + (side == Side.BUY ? 5 - random.nextInt(SPREAD) : random.nextInt(SPREAD) - 5);
    }

    private long quantity() {
        return random.nextInt(1, 100);
    }
}
