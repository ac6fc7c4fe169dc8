package io.slipstream.exchange.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.exchange.Exchange;
import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.wire.DepthAnswer;
import io.slipstream.exchange.wire.OrderAnswer;
import io.slipstream.exchange.wire.Rejection;
import io.slipstream.exchange.wire.TopOfBookAnswer;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

final class ExchangeStateMachineTest {
    private static final long ALICE = 5 << 12;
    private static final long BOB = (6 << 12) + 1;

    private final ExchangeStateMachine machine = new ExchangeStateMachine(3, 100);
    private final Desk desk = new Desk(machine);
    private final SentOutputs sent = new SentOutputs();

    @Test
    void answersAnOrderThatRests() {
        place(ALICE, 1, Side.BUY, OrderType.LIMIT, 100, 5);
        assertThat(sent.replyInWords()).isEqualTo("RESTING NONE 1:1 filled 0 remaining 5");
        assertThat(sent.events()).isEmpty();
    }

    @Test
    void tellsATradeToBothSidesBeforeItAnswers() {
        place(ALICE, 7, Side.SELL, OrderType.LIMIT, 100, 5);
        place(BOB, 8, Side.BUY, OrderType.LIMIT, 103, 3);
        assertThat(sent.events())
                .containsExactly(
                        ALICE + ": MAKER SELL 1:7 trade 1, 3 at 100, left 2",
                        BOB + ": TAKER BUY 1:8 trade 1, 3 at 100, left 0");
        assertThat(sent.replyInWords()).isEqualTo("FILLED NONE 1:8 filled 3 remaining 0");
    }

    @Test
    void tellsAnOwnerThatTradesWithItselfTwice() {
        place(ALICE, 1, Side.SELL, OrderType.LIMIT, 100, 5);
        place(ALICE, 2, Side.BUY, OrderType.LIMIT, 100, 9);
        assertThat(sent.events())
                .containsExactly(
                        ALICE + ": MAKER SELL 1:1 trade 1, 5 at 100, left 0",
                        ALICE + ": TAKER BUY 1:2 trade 1, 5 at 100, left 4");
        assertThat(sent.replyInWords()).isEqualTo("RESTING NONE 1:2 filled 5 remaining 4");
    }

    @Test
    void tellsTheOwnerWhatOfAnImmediateOrderWasCancelled() {
        place(ALICE, 1, Side.SELL, OrderType.LIMIT, 100, 5);
        place(BOB, 2, Side.BUY, OrderType.IMMEDIATE_OR_CANCEL, 100, 9);
        assertThat(sent.events()).endsWith(BOB + ": CANCELLED_UNFILLED BUY 1:2 at 0, left 4");
        assertThat(sent.replyInWords()).isEqualTo("CANCELLED NONE 1:2 filled 5 remaining 4");
    }

    @Test
    void takesAMarketOrderWithoutLookingAtItsPrice() {
        place(ALICE, 1, Side.SELL, OrderType.LIMIT, 100, 5);
        place(BOB, 2, Side.BUY, OrderType.MARKET, -1, 5);
        assertThat(sent.replyInWords()).isEqualTo("FILLED NONE 1:2 filled 5 remaining 0");
    }

    @Test
    void tellsTheOwnerThatAnOrderWasCancelled() {
        place(ALICE, 1, Side.SELL, OrderType.LIMIT, 100, 5);
        desk.cancel(sent.clear(), ALICE, 1, 1);
        assertThat(sent.events()).containsExactly(ALICE + ": CANCELLED SELL 1:1 at 0, left 5");
        assertThat(sent.replyInWords()).isEqualTo("CANCELLED NONE 1:1 filled 0 remaining 5");
        assertThat(machine.restingOrders()).isZero();
    }

    @Test
    void tellsTheOwnerWhetherAReplacedOrderKeptItsPlace() {
        place(ALICE, 1, Side.SELL, OrderType.LIMIT, 100, 5);
        desk.replace(sent.clear(), ALICE, 1, 1, 100, 4);
        assertThat(sent.events()).containsExactly(ALICE + ": REDUCED SELL 1:1 at 100, left 4");
        assertThat(sent.replyInWords()).isEqualTo("RESTING NONE 1:1 filled 0 remaining 4");
        desk.replace(sent.clear(), ALICE, 1, 1, 101, 4);
        assertThat(sent.events()).containsExactly(ALICE + ": REPLACED SELL 1:1 at 101, left 4");
    }

    @Test
    void tellsTheTradesOfAReplacedOrder() {
        place(ALICE, 1, Side.SELL, OrderType.LIMIT, 100, 5);
        place(BOB, 2, Side.BUY, OrderType.LIMIT, 90, 9);
        desk.replace(sent.clear(), BOB, 1, 2, 100, 9);
        assertThat(sent.events())
                .containsExactly(
                        BOB + ": REPLACED BUY 1:2 at 100, left 9",
                        ALICE + ": MAKER SELL 1:1 trade 1, 5 at 100, left 0",
                        BOB + ": TAKER BUY 1:2 trade 1, 5 at 100, left 4");
        assertThat(sent.replyInWords()).isEqualTo("RESTING NONE 1:2 filled 5 remaining 4");
        desk.replace(sent.clear(), BOB, 1, 2, 100, 5);
        assertThat(sent.events()).containsExactly(BOB + ": CANCELLED_AS_FILLED BUY 1:2 at 0, left 4");
        assertThat(sent.replyInWords()).isEqualTo("CANCELLED NONE 1:2 filled 0 remaining 4");
    }

    @Test
    void keepsTheOrdersOfOneOwnerFromAnother() {
        place(ALICE, 1, Side.SELL, OrderType.LIMIT, 100, 5);
        desk.cancel(sent.clear(), BOB, 1, 1);
        assertThat(sent.rejection()).isEqualTo(Rejection.UNKNOWN_ORDER);
        desk.replace(sent.clear(), BOB, 1, 1, 100, 1);
        assertThat(sent.rejection()).isEqualTo(Rejection.UNKNOWN_ORDER);
        desk.order(sent.clear(), BOB, 1);
        assertThat(OrderAnswer.side(sent.answer(), 0)).isNull();
        place(BOB, 1, Side.SELL, OrderType.LIMIT, 100, 5);
        assertThat(sent.rejection()).isEqualTo(Rejection.NONE);
    }

    @Test
    void cancelsTheOrdersOfASessionThatEndsAndTellsNobody() {
        place(ALICE, 1, Side.SELL, OrderType.LIMIT, 100, 5);
        place(BOB, 1, Side.SELL, OrderType.LIMIT, 101, 5);
        desk.place(sent.clear(), ALICE, 3, 2, Side.BUY, OrderType.POST_ONLY, 50, 1);
        sent.clear();
        machine.onSessionClose(ALICE, sent);
        assertThat(sent.events()).isEmpty();
        assertThat(machine.restingOrders()).isEqualTo(1);
        desk.topOfBook(sent.clear(), 1);
        assertThat(TopOfBookAnswer.askPrice(sent.answer(), 0)).isEqualTo(101);
    }

    @Test
    void answersTheTopOfABook() {
        place(ALICE, 1, Side.BUY, OrderType.LIMIT, 99, 5);
        place(BOB, 1, Side.BUY, OrderType.LIMIT, 99, 6);
        desk.topOfBook(sent.clear(), 1);
        MemorySegment top = sent.answer();
        assertThat(top.byteSize()).isEqualTo(TopOfBookAnswer.BYTES);
        assertThat(TopOfBookAnswer.instrument(top, 0)).isEqualTo(1);
        assertThat(TopOfBookAnswer.bidPrice(top, 0)).isEqualTo(99);
        assertThat(TopOfBookAnswer.bidQuantity(top, 0)).isEqualTo(11);
        assertThat(TopOfBookAnswer.askPrice(top, 0)).isZero();
        assertThat(TopOfBookAnswer.askQuantity(top, 0)).isZero();
    }

    @Test
    void answersTheDepthOfABookBestFirst() {
        for (int i = 0; i < 4; i++) {
            place(ALICE, i, Side.BUY, OrderType.LIMIT, 90 + i, 5);
        }
        place(BOB, 1, Side.SELL, OrderType.LIMIT, 100, 2);
        place(BOB, 2, Side.SELL, OrderType.LIMIT, 100, 3);
        desk.depth(sent.clear(), 1, 3);
        MemorySegment depth = sent.answer();
        assertThat(depth.byteSize()).isEqualTo(DepthAnswer.bytes(4));
        assertThat(DepthAnswer.bids(depth, 0)).isEqualTo(3);
        assertThat(DepthAnswer.asks(depth, 0)).isEqualTo(1);
        assertThat(DepthAnswer.price(depth, 0, 0)).isEqualTo(93);
        assertThat(DepthAnswer.price(depth, 0, 2)).isEqualTo(91);
        assertThat(DepthAnswer.price(depth, 0, 3)).isEqualTo(100);
        assertThat(DepthAnswer.quantity(depth, 0, 3)).isEqualTo(5);
        assertThat(DepthAnswer.orders(depth, 0, 3)).isEqualTo(2);
    }

    @Test
    void answersAnOrderThatRestsInAnyBook() {
        desk.place(sent.clear(), ALICE, 3, 42, Side.SELL, OrderType.POST_ONLY, 100, 5);
        desk.place(sent.clear(), BOB, 3, 1, Side.BUY, OrderType.LIMIT, 100, 2);
        desk.order(sent.clear(), ALICE, 42);
        MemorySegment order = sent.answer();
        assertThat(OrderAnswer.instrument(order, 0)).isEqualTo(3);
        assertThat(OrderAnswer.orderId(order, 0)).isEqualTo(42);
        assertThat(OrderAnswer.side(order, 0)).isEqualTo(Side.SELL);
        assertThat(OrderAnswer.type(order, 0)).isEqualTo(OrderType.POST_ONLY);
        assertThat(OrderAnswer.price(order, 0)).isEqualTo(100);
        assertThat(OrderAnswer.quantity(order, 0)).isEqualTo(5);
        assertThat(OrderAnswer.remaining(order, 0)).isEqualTo(3);
    }

    @Test
    void refusesQuestionsAboutBooksThatThereAreNot() {
        desk.topOfBook(sent.clear(), 0);
        assertThat(sent.rejection()).isEqualTo(Rejection.UNKNOWN_INSTRUMENT);
        desk.depth(sent.clear(), 4, 1);
        assertThat(sent.rejection()).isEqualTo(Rejection.UNKNOWN_INSTRUMENT);
    }

    @Test
    void cannotBeMadeForNoInstrumentsOrTooMany() {
        assertThatThrownBy(() -> new ExchangeStateMachine(0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("instruments must be 1 to");
        assertThatThrownBy(() -> new ExchangeStateMachine(Exchange.MAX_INSTRUMENTS, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ExchangeStateMachine(1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxOrders must be 1 to");
    }

    private void place(long session, long orderId, Side side, OrderType type, long price, long quantity) {
        desk.place(sent.clear(), session, 1, orderId, side, type, price, quantity);
    }
}
