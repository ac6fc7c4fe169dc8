package io.slipstream.benchmarks.codec;

import io.slipstream.data.codec.Codec;
import io.slipstream.data.codec.Flyweight;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Orders by a flyweight, in place. */
final class OurFlyweight implements Way {
    private static final int SLOT = 64;
    private static final Codec<Quote> QUOTES = Codec.of(Quote.class);

    private final Order[] orders = Ways.orders();
    private final MemorySegment memory = Arena.global().allocate((long) COUNT * SLOT, SLOT);
    private final Flyweight<Quote> flyweight = QUOTES.flyweight();

    @Override
    public int write(int i) {
        Order order = orders[i];
        Quote quote = flyweight.begin(memory, (long) i * SLOT, SLOT);
        quote.id(order.id());
        quote.price(order.price());
        quote.quantity(order.quantity());
        quote.instrument(order.instrument());
        quote.side(order.side());
        quote.time(order.time());
        return flyweight.length();
    }

    @Override
    public long read(int i) {
        Quote quote = flyweight.wrap(memory, (long) i * SLOT, SLOT);
        return Order.sum(
                quote.id(),
                quote.price(),
                quote.quantity(),
                quote.instrument(),
                quote.side().ordinal(),
                quote.time());
    }

    @Override
    public long readPrice(int i) {
        return flyweight.wrap(memory, (long) i * SLOT, SLOT).price();
    }
}
