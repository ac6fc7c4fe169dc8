package io.slipstream.exchange.service;

import io.slipstream.exchange.Exchange;
import io.slipstream.exchange.OrderBook;
import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import io.slipstream.service.machine.StateFormatException;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.util.Arrays;

/**
 * The books of an exchange in a snapshot: for each instrument its trades, and then its resting orders in the order in
 * which they would trade.
 */
final class SavedBooks {
    private static final int FORMAT = 1;
    private static final OrderType[] TYPES = OrderType.values();
    private static final byte END = -1;

    private final Exchange exchange;
    private final int instruments;

    /** Those of the instruments from 1 on. */
    SavedBooks(Exchange exchange, int instruments) {
        this.exchange = exchange;
        this.instruments = instruments;
    }

    void save(StateOutput output) {
        output.writeInt(FORMAT);
        output.writeInt(instruments);
        output.writeLong(exchange.arrivals());
        output.writeInt(exchange.restingOrders());
        for (int instrument = 1; instrument <= instruments; instrument++) {
            OrderBook book = exchange.list(instrument);
            output.writeLong(book.trades());
            for (Side side : Side.values()) {
                book.orders(side, (owner, orderId, its, type, price, quantity, remaining) -> {
                    output.writeByte(type.ordinal());
                    output.writeLong(owner);
                    output.writeLong(orderId);
                    output.writeLong(price);
                    output.writeLong(quantity);
                    output.writeLong(remaining);
                    output.writeLong(exchange.arrivalOf(owner, orderId));
                });
                output.writeByte(END);
            }
        }
    }

    /** Reads what was saved into empty books. */
    void load(StateInput input, OrdersByOwner ordersByOwner) {
        requireSame("format", FORMAT, input.readInt());
        requireSame("number of instruments", instruments, input.readInt());
        long arrivals = input.readLong();
        int orders = input.readInt();
        long[] owners = new long[Math.clamp(orders, 0, OrderBook.MAX_ORDERS)];
        long[] ids = new long[owners.length];
        int read = 0;
        for (int instrument = 1; instrument <= instruments; instrument++) {
            exchange.restoreTrades(instrument, input.readLong());
            for (Side side : Side.values()) {
                for (byte type = input.readByte(); type != END; type = input.readByte()) {
                    if (read == owners.length || type < 0 || type >= TYPES.length) {
                        throw new StateFormatException("the snapshot has an order of type " + type + " as number "
                                + (read + 1) + " of " + owners.length);
                    }
                    owners[read] = input.readLong();
                    ids[read] = input.readLong();
                    exchange.restore(
                            instrument,
                            owners[read],
                            ids[read],
                            side,
                            TYPES[type],
                            input.readLong(),
                            input.readLong(),
                            input.readLong(),
                            input.readLong());
                    read++;
                }
            }
        }
        requireSame("number of orders", orders, read);
        exchange.restoreArrivals(arrivals);
        ordersByOwner.addAll(Arrays.copyOf(owners, read), Arrays.copyOf(ids, read), read);
    }

    private static void requireSame(String what, int wanted, int found) {
        if (wanted != found) {
            throw new StateFormatException(
                    "the " + what + " of the snapshot is " + found + ", and " + wanted + " here");
        }
    }
}
