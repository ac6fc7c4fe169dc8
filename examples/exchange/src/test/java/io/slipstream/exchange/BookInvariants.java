package io.slipstream.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What holds for a book at all times. */
final class BookInvariants {
    private BookInvariants() {}

    /** The best bid is below the best ask. */
    static void assertNotCrossed(OrderBook book) {
        if (book.bestPrice(Side.BUY) != 0 && book.bestPrice(Side.SELL) != 0) {
            assertThat(book.bestPrice(Side.BUY)).isLessThan(book.bestPrice(Side.SELL));
        }
    }

    /** The levels of a side are in order, one for each price, and each holds what its orders hold. */
    static void assertDepthSumsUp(OrderBook book, Side side, List<OrderLine> lines) {
        List<long[]> levels = new ArrayList<>();
        for (OrderLine line : lines) {
            if (levels.isEmpty() || levels.getLast()[0] != line.price()) {
                levels.add(new long[] {line.price(), 0, 0});
            }
            levels.getLast()[1] += line.remaining();
            levels.getLast()[2]++;
        }
        List<long[]> shown = new ArrayList<>();
        int count = book.depth(
                side, Integer.MAX_VALUE, (price, quantity, orders) -> shown.add(new long[] {price, quantity, orders}));
        assertThat(count).isEqualTo(levels.size());
        assertThat(shown).usingElementComparator(Arrays::compare).isEqualTo(levels);
        assertThat(book.bestPrice(side)).isEqualTo(levels.isEmpty() ? 0 : levels.getFirst()[0]);
        assertThat(book.bestQuantity(side)).isEqualTo(levels.isEmpty() ? 0 : levels.getFirst()[1]);
    }
}
