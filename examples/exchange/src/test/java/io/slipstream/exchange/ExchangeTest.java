package io.slipstream.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class ExchangeTest {
    private final EventRecorder events = new EventRecorder();
    private final Exchange exchange = new Exchange(8, 3, events);

    @Test
    void rejectsCommandsForInstrumentsThatAreNotListed() {
        exchange.list(2);
        for (int instrument : new int[] {-1, 0, 7, 8, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            exchange.place(instrument, 1, 1, Side.BUY, OrderType.LIMIT, 100, 1);
            exchange.replace(instrument, 1, 1, 100, 1);
            exchange.cancel(instrument, 1, 1);
            assertThat(events.take())
                    .hasSize(3)
                    .containsOnly(new Event.Rejected(1, 1, RejectReason.UNKNOWN_INSTRUMENT));
        }
    }

    @Test
    void keepsBooksApart() {
        exchange.list(0);
        exchange.list(1);
        exchange.place(0, 1, 1, Side.BUY, OrderType.LIMIT, 100, 1);
        exchange.place(1, 2, 1, Side.SELL, OrderType.LIMIT, 100, 1);
        assertThat(exchange.list(0).bestPrice(Side.BUY)).isEqualTo(100);
        assertThat(exchange.list(0).bestPrice(Side.SELL)).isZero();
        assertThat(exchange.list(1).bestPrice(Side.SELL)).isEqualTo(100);
        assertThat(exchange.restingOrders()).isEqualTo(2);
    }

    @Test
    void knowsAnOrderInItsOwnBookOnly() {
        exchange.list(0);
        exchange.list(1);
        exchange.place(0, 1, 1, Side.BUY, OrderType.LIMIT, 100, 1);
        events.take();
        exchange.cancel(1, 1, 1);
        exchange.replace(1, 1, 1, 50, 1);
        assertThat(events.take()).hasSize(2).containsOnly(new Event.Rejected(1, 1, RejectReason.UNKNOWN_ORDER));
        exchange.place(1, 1, 1, Side.BUY, OrderType.LIMIT, 100, 1);
        assertThat(events.take()).containsExactly(new Event.Rejected(1, 1, RejectReason.DUPLICATE_ORDER_ID));
    }

    @Test
    void sharesItsRoomBetweenTheBooks() {
        exchange.list(0);
        exchange.list(1);
        for (int id = 0; id < 3; id++) {
            exchange.place(id % 2, 1, id, Side.BUY, OrderType.LIMIT, 100, 1);
        }
        events.take();
        exchange.place(1, 1, 3, Side.BUY, OrderType.LIMIT, 100, 1);
        assertThat(events.take()).containsExactly(new Event.Rejected(1, 3, RejectReason.BOOK_FULL));
        exchange.cancel(0, 1, 0);
        exchange.place(1, 1, 3, Side.BUY, OrderType.LIMIT, 100, 1);
        assertThat(events.take()).contains(new Event.Accepted(1, 3, Side.BUY, OrderType.LIMIT, 100, 1));
    }

    @Test
    void givesTheSameEventsAndTheSameHashForTheSameCommands() {
        long seed = System.nanoTime();
        Exchange first = new Exchange(5, 300, events);
        EventRecorder otherEvents = new EventRecorder();
        Exchange second = new Exchange(5, 300, otherEvents);
        for (Exchange each : List.of(first, second)) {
            trade(each, new SplittableRandom(seed));
        }
        assertThat(events.take()).as("seed %d", seed).isEqualTo(otherEvents.take());
        assertThat(first.stateHash()).as("seed %d", seed).isEqualTo(second.stateHash());
        second.cancel(0, -1, -1);
        assertThat(first.stateHash()).isEqualTo(second.stateHash());
        List<Long> ids = new ArrayList<>();
        second.list(0).orders(Side.BUY, (owner, id, side, type, price, quantity, remaining) -> ids.add(id));
        second.cancel(0, 0, ids.getFirst());
        assertThat(first.stateHash()).as("seed %d", seed).isNotEqualTo(second.stateHash());
    }

    @Test
    void tellsExchangesApartThatListOtherInstruments() {
        Exchange other = new Exchange(8, 3, events);
        exchange.list(0);
        other.list(1);
        assertThat(exchange.stateHash()).isNotEqualTo(other.stateHash());
    }

    @Test
    void refusesInstrumentNumbersOutOfRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> exchange.list(8))
                .withMessage("instrument must be 0 to 7 but is 8");
        assertThatIllegalArgumentException().isThrownBy(() -> exchange.list(-1)).withMessageContaining("-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Exchange(0, 1, events))
                .withMessageContaining("maxInstruments");
    }

    private static void trade(Exchange exchange, SplittableRandom random) {
        for (int instrument = 0; instrument < 5; instrument++) {
            exchange.list(instrument);
        }
        exchange.place(0, 0, 0, Side.BUY, OrderType.POST_ONLY, 1, 1);
        for (int i = 0; i < 20_000; i++) {
            int instrument = random.nextInt(5);
            long id = random.nextInt(500);
            switch (random.nextInt(4)) {
                case 0 -> exchange.cancel(instrument, 0, id);
                case 1 -> exchange.replace(instrument, 0, id, random.nextLong(1, 1_000), random.nextLong(1, 10));
                default ->
                    exchange.place(
                            instrument,
                            0,
                            id,
                            random.nextBoolean() ? Side.BUY : Side.SELL,
                            OrderType.LIMIT,
                            random.nextLong(1, 1_000),
                            random.nextLong(1, 10));
            }
        }
    }
}
