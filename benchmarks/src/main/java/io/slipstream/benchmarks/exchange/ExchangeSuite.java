package io.slipstream.benchmarks.exchange;

import io.slipstream.benchmarks.suite.Comparison;
import io.slipstream.benchmarks.suite.Plan;
import io.slipstream.benchmarks.suite.Suite;
import io.slipstream.benchmarks.suite.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The order book of the exchange example. */
public final class ExchangeSuite implements Suite {
    private static final long SEED = 1;
    private static final int COMMANDS = 3_000_000;
    private static final int MAX_ORDERS = 1 << 20;
    private static final Unit UNIT = Unit.throughput("M commands/s");

    @Override
    public String name() {
        return "exchange";
    }

    @Override
    public List<Comparison> comparisons(boolean quick) {
        List<Comparison> comparisons = new ArrayList<>(List.of(
                comparison(quick, 1_000, "Direct", 1.5, ExchangeCoreBook::direct),
                comparison(quick, 1_000, "Naive", null, ExchangeCoreBook::naive)));
        if (!quick) {
            comparisons.add(comparison(false, 100_000, "Direct", null, ExchangeCoreBook::direct));
        }
        return comparisons;
    }

    private static Comparison comparison(
            boolean quick, int orders, String book, @Nullable Double target, Supplier<Competitor> peer) {
        return new Comparison(
                String.format(Locale.ROOT, "3 M commands, %,d orders", orders),
                UNIT,
                "exchange-core 0.5.3 " + book,
                target,
                Plan.of(quick),
                () -> new BookContest(
                        CommandGenerator.generate(SEED, COMMANDS, orders), () -> new OurBook(MAX_ORDERS), peer));
    }
}
