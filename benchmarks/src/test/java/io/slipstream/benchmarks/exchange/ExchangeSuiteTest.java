package io.slipstream.benchmarks.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ExchangeSuiteTest {
    private static final int COMMANDS = 300_000;

    private final Commands commands = CommandGenerator.generate(7, COMMANDS, 1_000);

    @Test
    void generatesTheMixThatItNames() {
        int[] counts = commands.countByKind();
        assertThat(percent(counts[Commands.LIMIT_BUY] + counts[Commands.LIMIT_SELL]))
                .isBetween(8.0, 10.0);
        assertThat(percent(counts[Commands.IMMEDIATE_BUY] + counts[Commands.IMMEDIATE_SELL]))
                .isBetween(2.0, 4.0);
        assertThat(percent(counts[Commands.CANCEL])).isBetween(5.0, 7.0);
        assertThat(percent(counts[Commands.MOVE])).isBetween(80.0, 84.0);
    }

    @Test
    void keepsAboutAThousandOrdersAtAboutSevenHundredAndFiftyPrices() {
        OurBook book = new OurBook(10_000);
        book.run(commands);
        List<Competitor.Level> depth = book.depth();
        assertThat(depth.stream().mapToLong(Competitor.Level::orders).sum()).isBetween(900L, 1_100L);
        assertThat(depth.size()).isBetween(600, 900);
    }

    @Test
    void makesTheSameTradesInAllBooks() {
        OurBook ours = new OurBook(10_000);
        ours.run(commands);
        for (Competitor peer : List.of(ExchangeCoreBook.direct(), ExchangeCoreBook.naive())) {
            peer.run(commands);
            assertThat(peer.trades().count()).isEqualTo(ours.trades().count()).isPositive();
            assertThat(peer.trades().value()).isEqualTo(ours.trades().value());
            assertThat(peer.depth()).isEqualTo(ours.depth());
        }
    }

    @Test
    void generatesTheSameCommandsForTheSameSeed() {
        assertThat(CommandGenerator.generate(7, 10_000, 100))
                .hasToString(CommandGenerator.generate(7, 10_000, 100).toString());
    }

    private static double percent(int count) {
        return 100.0 * count / COMMANDS;
    }
}
