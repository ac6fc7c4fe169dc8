package io.slipstream.data.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.slipstream.data.annotation.Length;
import io.slipstream.data.annotation.MaxLength;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Encoding, flyweights and decoding into an object allocate nothing. */
class CodecAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int CALLS = 10_000;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    enum Side { BUY, SELL }

    record Order(long id, @MaxLength(16) String symbol, Side side, double price, List<Leg> legs, long[] levels) {
    }

    record Leg(int ratio, String name) {
    }

    interface Quote {
        long bid();

        void bid(long bid);

        double ask();

        Side side();

        void side(Side side);
    }

    static class Thing {
        long number;
        boolean flag;
        @Length(4)
        double[] doubles = new double[4];
    }

    private static final Codec<Order> ORDERS = Codec.of(Order.class);
    private static final Codec<Quote> QUOTES = Codec.of(Quote.class);
    private static final Codec<Thing> THINGS = Codec.of(Thing.class);

    /** Returns what the last of the rounds allocated, which go on until nothing was: until all is compiled. */
    private static long allocated(Runnable one) {
        long begin = System.nanoTime();
        long bytes = 1;
        while (bytes != 0 && System.nanoTime() - begin < PATIENCE_NANOS) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                one.run();
            }
            bytes = (THREADS.getCurrentThreadAllocatedBytes() - before) / CALLS;
        }
        return bytes;
    }

    @Test
    void encodingAllocatesNothing() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(500);
            Order order = new Order(1, "EURUSD ä", Side.SELL, 1.5, List.of(new Leg(1, "EUR"), new Leg(2, "USD")),
                    new long[5]);
            assertThat(allocated(() -> ORDERS.encode(order, memory, 0, ORDERS.sizeOf(order)))).isZero();
        }
    }

    @Test
    void aFlyweightAllocatesNothing() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(500);
            Flyweight<Quote> flyweight = QUOTES.flyweight();
            long[] sum = new long[1];
            assertThat(allocated(() -> {
                Quote quote = flyweight.begin(memory, 0, 100);
                quote.bid(5);
                quote.side(Side.SELL);
                Quote read = flyweight.wrap(memory, 0, flyweight.length());
                sum[0] += read.bid() + (long) read.ask() + read.side().ordinal();
            })).isZero();
            assertThat(sum[0]).isPositive();
        }
    }

    @Test
    void decodingIntoAnObjectAllocatesNothing() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(500);
            Thing thing = new Thing();
            int length = THINGS.encode(thing, memory, 0);
            assertThat(allocated(() -> THINGS.decodeInto(thing, memory, 0, length))).isZero();
        }
    }
}
