package io.slipstream.data;

import io.slipstream.data.annotation.MaxLength;
import io.slipstream.data.codec.Codec;
import io.slipstream.data.json.Json;
import io.slipstream.data.list.HugeList;
import io.slipstream.testkit.Opened;
import java.lang.foreign.MemorySegment;

/** A program in a container: generated codecs, text and columns. */
public final class Redeployed {
    private static final Codec<Order> ORDERS = Codec.of(Order.class);
    private static final Json<Order> JSON = Json.of(ORDERS);

    private Redeployed() {}

    /** What is stored. */
    public record Order(long id, @MaxLength(16) String symbol, Side side, double price) {}

    /** An enum, as those are looked up by name. */
    public enum Side {
        BUY,
        SELL
    }

    public static void main(String[] arguments) throws Exception {
        Order order = new Order(1, "EURUSD", Side.BUY, 1.25);
        MemorySegment segment = MemorySegment.ofArray(new byte[ORDERS.maxLength()]);
        int length = ORDERS.encode(order, segment, 0);
        same(order, ORDERS.decode(segment, 0, length));
        same(order, JSON.read(JSON.write(order)));
        try (Opened opened = new Opened()) {
            HugeList<Order> list =
                    opened.add(HugeList.builder(Order.class).identity("id").inMemory());
            for (int i = 0; i < 1000; i++) {
                list.add(new Order(i, "USDJPY", Side.SELL, i));
            }
            same(new Order(7, "USDJPY", Side.SELL, 7), list.get(list.rowOf(7)));
        }
    }

    private static void same(Order expected, Order actual) {
        if (!expected.equals(actual)) {
            throw new IllegalStateException(expected + " became " + actual);
        }
    }
}
