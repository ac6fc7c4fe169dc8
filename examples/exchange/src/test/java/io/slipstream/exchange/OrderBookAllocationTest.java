package io.slipstream.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.Allocations;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class OrderBookAllocationTest {
    private static final OrderType[] TYPES = OrderType.values();
    private static final int OWNERS = 10;
    private static final int IDS = 200;
    private static final int COMMANDS = 1_000_000;

    private final Counter counter = new Counter();
    private final Exchange exchange = new Exchange(4, OWNERS * IDS, counter);
    private final SplittableRandom random = new SplittableRandom(42);
    private long depthSeen;
    private final LevelVisitor depth = (price, quantity, orders) -> depthSeen += quantity;

    @Test
    void allocatesNothingOnceItIsWarm() throws Exception {
        for (int instrument = 0; instrument < 4; instrument++) {
            exchange.list(instrument);
        }
        // One object for each thousand commands would be 16,000 bytes.
        Allocations.none(this::trade);
        assertThat(new long[] {
                    counter.accepted, counter.rejected, counter.trades, counter.replaced, counter.cancelled, depthSeen
                })
                .doesNotContain(0);
    }

    private void trade() {
        for (int i = 0; i < COMMANDS; i++) {
            int instrument = random.nextInt(4);
            long owner = random.nextInt(OWNERS);
            long id = random.nextInt(IDS);
            long price = 10_000 + random.nextInt(-500, 501);
            long quantity = 1 + random.nextInt(50);
            switch (random.nextInt(8)) {
                case 0, 1 -> exchange.cancel(instrument, owner, id);
                case 2, 3 -> exchange.replace(instrument, owner, id, price, quantity);
                case 4 -> exchange.place(instrument, owner, id, Side.BUY, TYPES[i % TYPES.length], price, quantity);
                case 5 -> exchange.list(instrument).depth(Side.SELL, 5, depth);
                case 6 -> exchange.place(instrument, owner, id, Side.BUY, OrderType.LIMIT, price, quantity);
                default -> exchange.place(instrument, owner, id, Side.SELL, OrderType.LIMIT, price, quantity);
            }
        }
    }

    private static final class Counter implements BookListener {
        private long accepted;
        private long rejected;
        private long trades;
        private long replaced;
        private long cancelled;

        @Override
        public void accepted(long owner, long orderId, Side side, OrderType type, long price, long quantity) {
            accepted++;
        }

        @Override
        public void rejected(long owner, long orderId, RejectReason reason) {
            rejected++;
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
            trades++;
        }

        @Override
        public void replaced(long owner, long orderId, Side side, long price, long remaining, boolean keptPriority) {
            replaced++;
        }

        @Override
        public void cancelled(long owner, long orderId, Side side, long remaining, CancelReason reason) {
            cancelled++;
        }
    }
}
