package io.slipstream.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random commands, given to the book and to {@link NaiveOrderBook}: the same events and the same orders at all times.
 */
final class OrderBookModelTest {
    /** How the prices of a run lie, which decides the shape of the tries. */
    enum Prices {
        /** A few ticks around one price: long lines at each level. */
        TIGHT(40) {
            @Override
            long next(RandomGenerator random) {
                return 1_000_000 + random.nextInt(-10, 11);
            }
        },
        /** Thousands of ticks, most near the middle: the levels of a real book. */
        REAL(200) {
            @Override
            long next(RandomGenerator random) {
                return Math.max(1, 50_000 + (long) (random.nextGaussian() * 400));
            }
        },
        /** A middle that wanders far. */
        SLIDING(120) {
            private long middle = 100_000;

            @Override
            long next(RandomGenerator random) {
                middle = Math.max(200, middle + random.nextInt(-40, 41));
                return middle + random.nextInt(-100, 101);
            }
        },
        /** Any magnitude between the least and the greatest price. */
        WILD(60) {
            @Override
            long next(RandomGenerator random) {
                return 1 + (random.nextLong() >>> random.nextInt(5, 64)) % OrderBook.MAX_PRICE;
            }
        },
        /** The edges of the trie's digits and of the range. */
        EDGES(60) {
            @Override
            long next(RandomGenerator random) {
                long edge = 1L << random.nextInt(61);
                return Math.clamp(edge + random.nextInt(-1, 2), 1, OrderBook.MAX_PRICE);
            }
        };

        private final int usualOrders;

        Prices(int usualOrders) {
            this.usualOrders = usualOrders;
        }

        abstract long next(RandomGenerator random);
    }

    private static final int COMMANDS = 400_000;
    private static final int COMMANDS_BETWEEN_LOOKS = 64;

    private final EventRecorder events = new EventRecorder();
    private final EventRecorder expected = new EventRecorder();
    private final Ledger ledger = new Ledger();

    @ParameterizedTest
    @EnumSource
    void doesWhatTheModelDoes(Prices prices) {
        run(prices, NaiveOrderBook.FIRST_COME, COMMANDS);
    }

    @Test
    void catchesAModelThatServesTheLastComerFirst() {
        assertThatThrownBy(() -> run(Prices.TIGHT, NaiveOrderBook.FIRST_COME.reversed(), COMMANDS))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("of seed");
    }

    private void run(Prices prices, Comparator<NaiveOrderBook.Order> samePrice, int commands) {
        long seed = System.nanoTime();
        System.out.println("OrderBookModelTest " + prices + " seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        int maxOrders = prices.usualOrders * 3 / 2;
        OrderBook book = new OrderBook(maxOrders, new FanOut(events, ledger));
        NaiveOrderBook model = new NaiveOrderBook(maxOrders, expected, samePrice);
        for (int i = 0; i < commands; i++) {
            String command = RandomCommand.give(random, prices.usualOrders, () -> prices.next(random), book, model);
            assertThat(events.take())
                    .as("command %d of seed %d: %s", i, seed, command)
                    .isEqualTo(expected.take());
            if (i % COMMANDS_BETWEEN_LOOKS == 0) {
                assertSameBook(book, model, "after command " + i + " of seed " + seed);
                ledger.assertAgreesWith(book);
            }
        }
        assertSameBook(book, model, "at the end of seed " + seed);
        cancelAll(book, model);
        for (Side side : Side.values()) {
            assertThat(book.depth(side, Integer.MAX_VALUE, (price, quantity, orders) -> {}))
                    .isZero();
        }
        ledger.assertAgreesWith(book);
    }

    private static void assertSameBook(OrderBook book, NaiveOrderBook model, String when) {
        for (Side side : Side.values()) {
            List<OrderLine> lines = ordersOf(book, side);
            assertThat(lines).as(when).isEqualTo(ordersOf(model, side));
            BookInvariants.assertDepthSumsUp(book, side, lines);
        }
        BookInvariants.assertNotCrossed(book);
    }

    private static void cancelAll(OrderBook book, NaiveOrderBook model) {
        for (Side side : Side.values()) {
            for (NaiveOrderBook.Order order : List.copyOf(model.orders(side))) {
                book.cancel(order.owner(), order.orderId());
            }
        }
    }

    static List<OrderLine> ordersOf(OrderBook book, Side side) {
        List<OrderLine> lines = new ArrayList<>();
        book.orders(
                side,
                (owner, orderId, ownSide, type, price, quantity, remaining) ->
                        lines.add(new OrderLine(owner, orderId, ownSide, type, price, quantity, remaining)));
        return lines;
    }

    private static List<OrderLine> ordersOf(NaiveOrderBook model, Side side) {
        return model.orders(side).stream()
                .map(order -> new OrderLine(
                        order.owner(),
                        order.orderId(),
                        order.side(),
                        order.type(),
                        order.price(),
                        order.quantity(),
                        order.remaining()))
                .toList();
    }
}
