package io.slipstream.exchange.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.exchange.BookListener;
import io.slipstream.exchange.CancelReason;
import io.slipstream.exchange.Exchange;
import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.RejectReason;
import io.slipstream.exchange.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class OrdersByOwnerTest {
    private static final int IDS = 40;

    private final Cancellations cancelled = new Cancellations();
    private final Exchange exchange = new Exchange(3, 1_000, cancelled);
    private final OrdersByOwner orders = new OrdersByOwner(exchange);
    /** What each owner has resting, oldest first, kept the obvious way; owners 1 and 4097 share a bucket. */
    private final List<String> model = new ArrayList<>();

    OrdersByOwnerTest() {
        for (int instrument = 0; instrument < 3; instrument++) {
            exchange.list(instrument);
        }
    }

    @Test
    void cancelsAnOwnersOrdersOldestFirstWhateverLeftInBetween() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 50_000; i++) {
            long owner = random.nextBoolean() ? 1 : 4097;
            long id = random.nextInt(IDS);
            int instrument = random.nextInt(3);
            if (exchange.instrumentOf(owner, id) >= 0) {
                exchange.cancel(exchange.instrumentOf(owner, id), owner, id);
                model.remove(owner + ":" + id);
            } else {
                exchange.place(instrument, owner, id, Side.BUY, OrderType.LIMIT, 1 + random.nextInt(100), 1);
                orders.add(owner, id);
                model.add(owner + ":" + id);
            }
            if (random.nextInt(200) == 0) {
                cancelled.orders.clear();
                orders.cancelAll(owner);
                List<String> expected = model.stream()
                        .filter(order -> order.startsWith(owner + ":"))
                        .toList();
                assertThat(cancelled.orders).as("seed " + seed).isEqualTo(expected);
                model.removeAll(expected);
                assertThat(exchange.restingOrders()).as("seed " + seed).isEqualTo(model.size());
            }
        }
    }

    @Test
    void knowsNothingOfAnOwnerThatNeverHadAnOrder() {
        orders.cancelAll(1);
        assertThat(cancelled.orders).isEmpty();
    }

    @Test
    void anOrderThatWasReplacedKeepsItsAge() {
        for (long id = 1; id <= 3; id++) {
            exchange.place(0, 1, id, Side.BUY, OrderType.LIMIT, 10, 1);
            orders.add(1, id);
        }
        exchange.replace(0, 1, 1, 11, 5);
        orders.cancelAll(1);
        assertThat(cancelled.orders).containsExactly("1:1", "1:2", "1:3");
    }

    private static final class Cancellations implements BookListener {
        private final List<String> orders = new ArrayList<>();

        @Override
        public void cancelled(long owner, long orderId, Side side, long remaining, CancelReason reason) {
            orders.add(owner + ":" + orderId);
        }

        @Override
        public void accepted(long owner, long orderId, Side side, OrderType type, long price, long quantity) {}

        @Override
        public void rejected(long owner, long orderId, RejectReason reason) {
            throw new AssertionError(owner + ":" + orderId + " was refused: " + reason);
        }

        @Override
        public void trade(
                long tradeId,
                Side takerSide,
                long makerOwner,
                long makerOrderId,
                long takerOwner,
                long takerOrderId,
                long price,
                long quantity,
                long makerRemaining,
                long takerRemaining) {
            throw new AssertionError("only buyers are here");
        }

        @Override
        public void replaced(long owner, long orderId, Side side, long price, long remaining, boolean keptPriority) {}
    }
}
