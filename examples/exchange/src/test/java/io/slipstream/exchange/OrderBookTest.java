package io.slipstream.exchange;

import static io.slipstream.exchange.OrderType.FILL_OR_KILL;
import static io.slipstream.exchange.OrderType.IMMEDIATE_OR_CANCEL;
import static io.slipstream.exchange.OrderType.LIMIT;
import static io.slipstream.exchange.OrderType.MARKET;
import static io.slipstream.exchange.OrderType.POST_ONLY;
import static io.slipstream.exchange.Side.BUY;
import static io.slipstream.exchange.Side.SELL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class OrderBookTest {
    private static final long ALICE = 1;
    private static final long BOB = 2;

    private final EventRecorder events = new EventRecorder();
    private final OrderBook book = new OrderBook(4, events);

    @Test
    void tradesAtTheMakersPriceAndTellsBothSides() {
        book.place(ALICE, 1, SELL, LIMIT, 100, 10);
        events.take();
        book.place(BOB, 7, BUY, LIMIT, 103, 4);
        assertThat(events.take())
                .containsExactly(
                        new Event.Accepted(BOB, 7, BUY, LIMIT, 103, 4),
                        new Event.Trade(1, BUY, ALICE, 1, BOB, 7, 100, 4, 6, 0));
        assertThat(book.bestPrice(SELL)).isEqualTo(100);
        assertThat(book.bestQuantity(SELL)).isEqualTo(6);
        assertThat(book.bestPrice(BUY)).isZero();
        assertThat(book.bestQuantity(BUY)).isZero();
    }

    @Test
    void restsWhatALimitOrderCouldNotTrade() {
        book.place(ALICE, 1, SELL, LIMIT, 100, 10);
        book.place(BOB, 1, BUY, LIMIT, 100, 15);
        assertThat(OrderBookModelTest.ordersOf(book, BUY))
                .containsExactly(new OrderLine(BOB, 1, BUY, LIMIT, 100, 15, 5));
        assertThat(OrderBookModelTest.ordersOf(book, SELL)).isEmpty();
    }

    @Test
    void sweepsSeveralLevelsBestFirst() {
        book.place(ALICE, 1, SELL, LIMIT, 102, 1);
        book.place(ALICE, 2, SELL, LIMIT, 100, 1);
        book.place(ALICE, 3, SELL, LIMIT, 101, 1);
        events.take();
        book.place(BOB, 1, BUY, MARKET, 0, 5);
        assertThat(events.take())
                .containsExactly(
                        new Event.Accepted(BOB, 1, BUY, MARKET, 0, 5),
                        new Event.Trade(1, BUY, ALICE, 2, BOB, 1, 100, 1, 0, 4),
                        new Event.Trade(2, BUY, ALICE, 3, BOB, 1, 101, 1, 0, 3),
                        new Event.Trade(3, BUY, ALICE, 1, BOB, 1, 102, 1, 0, 2),
                        new Event.Cancelled(BOB, 1, BUY, 2, CancelReason.UNFILLED_REMAINDER));
    }

    @Test
    void cancelsWhatAnImmediateOrderCouldNotTradeWithinItsPrice() {
        book.place(ALICE, 1, BUY, LIMIT, 100, 1);
        book.place(ALICE, 2, BUY, LIMIT, 99, 1);
        events.take();
        book.place(BOB, 1, SELL, IMMEDIATE_OR_CANCEL, 100, 5);
        assertThat(events.take())
                .containsExactly(
                        new Event.Accepted(BOB, 1, SELL, IMMEDIATE_OR_CANCEL, 100, 5),
                        new Event.Trade(1, SELL, ALICE, 1, BOB, 1, 100, 1, 0, 4),
                        new Event.Cancelled(BOB, 1, SELL, 4, CancelReason.UNFILLED_REMAINDER));
    }

    @Test
    void fillsOrKillsAsAWhole() {
        book.place(ALICE, 1, BUY, LIMIT, 100, 1);
        book.place(ALICE, 2, BUY, LIMIT, 99, 1);
        book.place(ALICE, 3, BUY, LIMIT, 98, 1);
        long before = book.stateHash();
        assertRejected(
                () -> book.place(BOB, 1, SELL, FILL_OR_KILL, 99, 3), BOB, 1, RejectReason.FILL_OR_KILL_NOT_FILLABLE);
        assertThat(book.stateHash()).isEqualTo(before);
        book.place(BOB, 1, SELL, FILL_OR_KILL, 98, 3);
        assertThat(events.take()).hasSize(4);
        assertThat(book.bestPrice(BUY)).isZero();
    }

    @Test
    void keepsAPostOnlyOrderFromTradingOnArrivalAndOnReplacement() {
        book.place(ALICE, 1, SELL, LIMIT, 100, 10);
        assertRejected(() -> book.place(BOB, 1, BUY, POST_ONLY, 100, 1), BOB, 1, RejectReason.POST_ONLY_WOULD_CROSS);
        book.place(BOB, 1, BUY, POST_ONLY, 99, 1);
        assertRejected(() -> book.replace(BOB, 1, 101, 1), BOB, 1, RejectReason.POST_ONLY_WOULD_CROSS);
        assertThat(book.bestPrice(BUY)).isEqualTo(99);
    }

    @Test
    void keepsPriorityWhenOnlyTheQuantityShrinks() {
        book.place(ALICE, 1, BUY, LIMIT, 100, 10);
        book.place(BOB, 1, BUY, LIMIT, 100, 10);
        events.take();
        book.replace(ALICE, 1, 100, 4);
        assertThat(events.take()).containsExactly(new Event.Replaced(ALICE, 1, BUY, 100, 4, true));
        assertThat(OrderBookModelTest.ordersOf(book, BUY))
                .extracting(OrderLine::owner)
                .containsExactly(ALICE, BOB);
        assertThat(book.bestQuantity(BUY)).isEqualTo(14);
        book.replace(ALICE, 1, 100, 5);
        assertThat(events.take()).containsExactly(new Event.Replaced(ALICE, 1, BUY, 100, 5, false));
        assertThat(OrderBookModelTest.ordersOf(book, BUY))
                .extracting(OrderLine::owner)
                .containsExactly(BOB, ALICE);
    }

    @Test
    void losesPriorityWhenThePriceChangesAndComesBack() {
        book.place(ALICE, 1, BUY, LIMIT, 100, 1);
        book.place(BOB, 1, BUY, LIMIT, 100, 1);
        book.replace(ALICE, 1, 101, 1);
        book.replace(ALICE, 1, 100, 1);
        assertThat(OrderBookModelTest.ordersOf(book, BUY))
                .extracting(OrderLine::owner)
                .containsExactly(BOB, ALICE);
    }

    @Test
    void tradesWhenAReplacementCrosses() {
        book.place(ALICE, 1, SELL, LIMIT, 100, 3);
        book.place(BOB, 1, BUY, LIMIT, 90, 5);
        events.take();
        book.replace(BOB, 1, 100, 5);
        assertThat(events.take())
                .containsExactly(
                        new Event.Replaced(BOB, 1, BUY, 100, 5, false),
                        new Event.Trade(1, BUY, ALICE, 1, BOB, 1, 100, 3, 0, 2));
        assertThat(book.bestPrice(BUY)).isEqualTo(100);
        assertThat(book.bestQuantity(BUY)).isEqualTo(2);
    }

    @Test
    void countsTheTradedPartInAReplacementsTotal() {
        book.place(ALICE, 1, SELL, LIMIT, 100, 10);
        book.place(BOB, 1, BUY, MARKET, 0, 6);
        events.take();
        book.replace(ALICE, 1, 100, 8);
        assertThat(events.take()).containsExactly(new Event.Replaced(ALICE, 1, SELL, 100, 2, true));
        book.replace(ALICE, 1, 101, 6);
        assertThat(events.take())
                .containsExactly(new Event.Cancelled(ALICE, 1, SELL, 2, CancelReason.REPLACED_BY_FILLED_QUANTITY));
        assertThat(book.bestPrice(SELL)).isZero();
    }

    @Test
    void rejectsQuantitiesAndPricesOutOfRange() {
        assertPlacementRejected(100, 0, RejectReason.NON_POSITIVE_QUANTITY);
        assertPlacementRejected(100, Long.MIN_VALUE, RejectReason.NON_POSITIVE_QUANTITY);
        assertPlacementRejected(100, OrderBook.MAX_QUANTITY + 1, RejectReason.QUANTITY_TOO_LARGE);
        assertPlacementRejected(0, 1, RejectReason.NON_POSITIVE_PRICE);
        assertPlacementRejected(-100, 1, RejectReason.NON_POSITIVE_PRICE);
        assertPlacementRejected(OrderBook.MAX_PRICE + 1, 1, RejectReason.PRICE_TOO_LARGE);
        book.place(ALICE, 1, BUY, LIMIT, OrderBook.MAX_PRICE, OrderBook.MAX_QUANTITY);
        events.take();
        assertRejected(() -> book.replace(ALICE, 1, 0, 1), ALICE, 1, RejectReason.NON_POSITIVE_PRICE);
        assertRejected(() -> book.replace(ALICE, 1, 1, 0), ALICE, 1, RejectReason.NON_POSITIVE_QUANTITY);
        assertRejected(() -> book.replace(ALICE, 1, Long.MAX_VALUE, 1), ALICE, 1, RejectReason.PRICE_TOO_LARGE);
        assertRejected(() -> book.replace(ALICE, 1, 1, Long.MAX_VALUE), ALICE, 1, RejectReason.QUANTITY_TOO_LARGE);
        assertThat(book.bestQuantity(BUY)).isEqualTo(OrderBook.MAX_QUANTITY);
    }

    @Test
    void rejectsAnIdThatRestsAndTakesItAgainOnceItIsGone() {
        book.place(ALICE, 1, BUY, LIMIT, 100, 1);
        events.take();
        for (OrderType type : OrderType.values()) {
            assertRejected(() -> book.place(ALICE, 1, SELL, type, 200, 1), ALICE, 1, RejectReason.DUPLICATE_ORDER_ID);
        }
        book.cancel(ALICE, 1);
        events.take();
        book.place(ALICE, 1, SELL, LIMIT, 200, 1);
        assertThat(events.take()).containsExactly(new Event.Accepted(ALICE, 1, SELL, LIMIT, 200, 1));
    }

    @Test
    void keepsOwnersApart() {
        book.place(ALICE, 1, BUY, LIMIT, 100, 1);
        book.place(BOB, 1, BUY, LIMIT, 99, 1);
        events.take();
        assertRejected(() -> book.cancel(3, 1), 3, 1, RejectReason.UNKNOWN_ORDER);
        book.cancel(BOB, 1);
        assertThat(OrderBookModelTest.ordersOf(book, BUY))
                .extracting(OrderLine::owner)
                .containsExactly(ALICE);
    }

    @Test
    void rejectsToCancelOrReplaceWhatIsNotThere() {
        book.place(ALICE, 1, BUY, LIMIT, 100, 1);
        book.place(BOB, 1, SELL, LIMIT, 100, 1);
        events.take();
        assertRejected(() -> book.cancel(ALICE, 1), ALICE, 1, RejectReason.UNKNOWN_ORDER);
        assertRejected(() -> book.replace(ALICE, 1, 100, 1), ALICE, 1, RejectReason.UNKNOWN_ORDER);
        assertRejected(() -> book.cancel(ALICE, 99), ALICE, 99, RejectReason.UNKNOWN_ORDER);
    }

    @Test
    void refusesToRestMoreOrdersThanItHasRoomForButStillTrades() {
        for (int id = 0; id < 4; id++) {
            book.place(ALICE, id, SELL, LIMIT, 100 + id, 1);
        }
        events.take();
        assertRejected(() -> book.place(BOB, 1, BUY, LIMIT, 100, 1), BOB, 1, RejectReason.BOOK_FULL);
        assertRejected(() -> book.place(BOB, 1, BUY, POST_ONLY, 99, 1), BOB, 1, RejectReason.BOOK_FULL);
        book.replace(ALICE, 3, 200, 1);
        book.place(BOB, 1, BUY, IMMEDIATE_OR_CANCEL, 100, 1);
        assertThat(events.take()).contains(new Event.Trade(1, BUY, ALICE, 0, BOB, 1, 100, 1, 0, 0));
        book.place(BOB, 1, BUY, LIMIT, 99, 1);
        assertThat(events.take()).containsExactly(new Event.Accepted(BOB, 1, BUY, LIMIT, 99, 1));
    }

    @Test
    void refusesToRestMoreOrdersAtScatteredPricesThanItHasRoomFor() {
        int maxOrders = 4_096;
        int blocks = 1_024 + maxOrders / 16;
        long distance = 1L << 40;
        OrderBook wide = new OrderBook(maxOrders, events);
        for (int id = 0; id < blocks; id++) {
            wide.place(ALICE, id, BUY, LIMIT, distance * (id + 1), 1);
        }
        assertThat(events.take()).hasOnlyElementsOfType(Event.Accepted.class);
        long alone = distance * (blocks + 1);
        long before = wide.stateHash();
        wide.place(BOB, 1, BUY, LIMIT, alone, 1);
        wide.place(BOB, 2, SELL, LIMIT, alone, 1);
        wide.place(BOB, 3, SELL, POST_ONLY, alone, 1);
        wide.place(BOB, 4, SELL, LIMIT, distance + 1, 2);
        wide.replace(ALICE, 0, distance / 2, 1);
        assertThat(events.take())
                .extracting(event -> ((Event.Rejected) event).reason())
                .hasSize(5)
                .containsOnly(RejectReason.PRICES_TOO_SCATTERED);
        assertThat(wide.stateHash()).isEqualTo(before);
        wide.place(BOB, 5, BUY, LIMIT, distance + 1, 1);
        wide.place(BOB, 6, SELL, IMMEDIATE_OR_CANCEL, distance * blocks, 1);
        wide.place(BOB, 7, SELL, LIMIT, alone, 1);
        assertThat(events.take())
                .containsExactly(
                        new Event.Accepted(BOB, 5, BUY, LIMIT, distance + 1, 1),
                        new Event.Accepted(BOB, 6, SELL, IMMEDIATE_OR_CANCEL, distance * blocks, 1),
                        new Event.Trade(1, SELL, ALICE, blocks - 1, BOB, 6, distance * blocks, 1, 0, 0),
                        new Event.Accepted(BOB, 7, SELL, LIMIT, alone, 1));
    }

    @Test
    void showsASingleOrderOfThisBook() {
        book.place(ALICE, 1, BUY, POST_ONLY, 100, 7);
        List<OrderLine> shown = new ArrayList<>();
        OrderVisitor visitor = (owner, id, side, type, price, quantity, remaining) ->
                shown.add(new OrderLine(owner, id, side, type, price, quantity, remaining));
        assertThat(book.order(ALICE, 1, visitor)).isTrue();
        assertThat(book.order(BOB, 1, visitor)).isFalse();
        assertThat(shown).containsExactly(new OrderLine(ALICE, 1, BUY, POST_ONLY, 100, 7, 7));
    }

    @Test
    void showsAsMuchDepthAsAskedFor() {
        book.place(ALICE, 1, BUY, LIMIT, 100, 1);
        book.place(ALICE, 2, BUY, LIMIT, 99, 2);
        book.place(ALICE, 3, BUY, LIMIT, 100, 3);
        book.place(ALICE, 4, BUY, LIMIT, 98, 4);
        List<String> shown = new ArrayList<>();
        LevelVisitor visitor = (price, quantity, orders) -> shown.add(price + "x" + quantity + " of " + orders);
        assertThat(book.depth(BUY, 2, visitor)).isEqualTo(2);
        assertThat(shown).containsExactly("100x4 of 2", "99x2 of 1");
        assertThat(book.depth(BUY, 10, visitor)).isEqualTo(3);
        assertThat(book.depth(SELL, 10, visitor)).isZero();
    }

    @Test
    void hashesEqualBooksTheSameWhateverTheirPast() {
        OrderBook wanderer = new OrderBook(1_000, events);
        SplittableRandom random = new SplittableRandom(1);
        for (int id = 0; id < 1_000; id++) {
            wanderer.place(
                    ALICE,
                    id,
                    id % 2 == 0 ? BUY : SELL,
                    LIMIT,
                    id % 2 == 0 ? random.nextLong(1, 1_000_000) : random.nextLong(1_000_000, 1L << 50),
                    1 + id);
        }
        for (int id = 0; id < 1_000; id++) {
            if (id % 5 != 0) {
                wanderer.cancel(ALICE, id);
            }
        }
        OrderBook fresh = new OrderBook(200, events);
        for (Side side : Side.values()) {
            wanderer.orders(
                    side,
                    (owner, id, own, type, price, quantity, remaining) ->
                            fresh.place(owner, id, own, type, price, quantity));
        }
        assertThat(fresh.stateHash()).isEqualTo(wanderer.stateHash());
        fresh.replace(ALICE, 5, 2_000_000, 6);
        assertThat(fresh.stateHash()).isNotEqualTo(wanderer.stateHash());
    }

    @Test
    void hashesDifferentPrioritiesDifferently() {
        OrderBook other = new OrderBook(4, events);
        book.place(ALICE, 1, BUY, LIMIT, 100, 1);
        book.place(BOB, 1, BUY, LIMIT, 100, 1);
        other.place(BOB, 1, BUY, LIMIT, 100, 1);
        other.place(ALICE, 1, BUY, LIMIT, 100, 1);
        assertThat(other.stateHash()).isNotEqualTo(book.stateHash());
    }

    @Test
    void refusesToBeMadeForNoneOrTooManyOrders() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OrderBook(0, events))
                .withMessageContaining("0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OrderBook(OrderBook.MAX_ORDERS + 1, events))
                .withMessageContaining("maxOrders must be 1 to " + OrderBook.MAX_ORDERS);
    }

    private void assertPlacementRejected(long price, long quantity, RejectReason reason) {
        assertRejected(() -> book.place(ALICE, 1, BUY, LIMIT, price, quantity), ALICE, 1, reason);
    }

    private void assertRejected(Runnable command, long owner, long orderId, RejectReason reason) {
        events.take();
        long before = book.stateHash();
        command.run();
        assertThat(events.take()).containsExactly(new Event.Rejected(owner, orderId, reason));
        assertThat(book.stateHash()).isEqualTo(before);
    }
}
