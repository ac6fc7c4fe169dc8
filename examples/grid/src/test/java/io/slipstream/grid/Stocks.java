package io.slipstream.grid;

import io.slipstream.data.annotation.MaxLength;
import java.lang.invoke.MethodHandles;

/** A map for tests, with processors that do what they should and some that do not. */
final class Stocks {
    static final GridType<Stock> TYPE = GridType.of(
            "stocks",
            Stock.class,
            MethodHandles.lookup(),
            Add.class,
            Clear.class,
            Break.class,
            Chat.class,
            Forget.class);

    private Stocks() {}

    record Stock(long count) {}

    record Add(String key, long count) implements Processor<Stock, Stock> {
        @Override
        public Stock process(Entry<Stock> entry) {
            Stock stock = entry.value();
            Stock more = new Stock(count + (stock == null ? 0 : stock.count()));
            entry.set(more);
            return more;
        }
    }

    record Clear(String key) implements Processor<Stock, Stock> {
        @Override
        public Stock process(Entry<Stock> entry) {
            Stock stock = entry.value();
            entry.remove();
            return stock == null ? new Stock(0) : stock;
        }
    }

    /** Throws when half of its work is done. */
    record Break(String key) implements Processor<Stock, Stock> {
        @Override
        public Stock process(Entry<Stock> entry) {
            entry.set(new Stock(-1));
            throw new IllegalStateException("out of order");
        }
    }

    /** Answers with more than its reply may hold. */
    record Chat(String key) implements Processor<Stock, Word> {
        @Override
        public Word process(Entry<Stock> entry) {
            entry.remove();
            return new Word("chatter");
        }
    }

    /** Answers nothing. */
    record Forget(String key) implements Processor<Stock, Stock> {
        @Override
        @SuppressWarnings("NullAway")
        public Stock process(Entry<Stock> entry) {
            entry.remove();
            return null;
        }
    }

    /** Is not among the processors of the map. */
    record Unknown(String key) implements Processor<Stock, Stock> {
        @Override
        public Stock process(Entry<Stock> entry) {
            return new Stock(0);
        }
    }

    record Word(@MaxLength(4) String text) {}
}
