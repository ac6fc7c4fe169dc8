package io.slipstream.exchange.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.exchange.Side;
import io.slipstream.exchange.wire.TradesAnswer;
import io.slipstream.exchange.wire.TradesQuery;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

final class RecentTradesTest {
    private static final int KEPT = TradesQuery.MAX_TRADES;

    private final RecentTrades recent = new RecentTrades(3);
    private final MemorySegment answer = MemorySegment.ofArray(new byte[TradesAnswer.MAX_BYTES]);

    @Test
    void keepsTheNewestOfEachInstrument() {
        for (int number = 1; number <= 2 * KEPT + 3; number++) {
            recent.add(1, number, 1_000 + number, number, number % 2 == 0 ? Side.BUY : Side.SELL);
        }
        recent.add(2, 1, 7, 7, Side.BUY);
        assertThat(recent.encode(1, 0, KEPT, answer)).isEqualTo(TradesAnswer.MAX_BYTES);
        for (int i = 0; i < KEPT; i++) {
            int number = KEPT + 4 + i;
            assertThat(TradesAnswer.number(answer, 0, i)).isEqualTo(number);
            assertThat(TradesAnswer.price(answer, 0, i)).isEqualTo(1_000 + number);
            assertThat(TradesAnswer.quantity(answer, 0, i)).isEqualTo(number);
            assertThat(TradesAnswer.taker(answer, 0, i)).isEqualTo(number % 2 == 0 ? Side.BUY : Side.SELL);
        }
        recent.encode(2, 0, KEPT, answer);
        assertThat(TradesAnswer.trades(answer, 0)).isEqualTo(1);
    }

    @Test
    void answersWithWhatCameAfterATrade() {
        recent.add(1, 1, 10, 1, Side.BUY);
        recent.add(1, 2, 11, 1, Side.BUY);
        recent.encode(1, 1, KEPT, answer);
        assertThat(TradesAnswer.trades(answer, 0)).isEqualTo(1);
        assertThat(TradesAnswer.number(answer, 0, 0)).isEqualTo(2);
        for (long after : new long[] {2, 3, Long.MAX_VALUE}) {
            recent.encode(1, after, KEPT, answer);
            assertThat(TradesAnswer.trades(answer, 0)).as("after " + after).isZero();
        }
        recent.encode(1, Long.MIN_VALUE, 1, answer);
        assertThat(TradesAnswer.number(answer, 0, 0)).isEqualTo(2);
        recent.add(2, 1_000, 10, 1, Side.SELL);
        recent.encode(2, 0, KEPT, answer);
        assertThat(TradesAnswer.trades(answer, 0))
                .as("those before were seen by another one")
                .isEqualTo(1);
    }
}
