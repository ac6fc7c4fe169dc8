package io.slipstream.benchmarks.exchange;

import io.slipstream.benchmarks.Comparison;
import io.slipstream.benchmarks.Plan;
import io.slipstream.benchmarks.Suite;
import io.slipstream.benchmarks.Unit;
import java.util.List;
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
        return List.of(
                comparison(quick, "exchange-core 0.5.3 Direct", 1.5, ExchangeCoreBook::direct),
                comparison(quick, "exchange-core 0.5.3 Naive", null, ExchangeCoreBook::naive));
    }

    private static Comparison comparison(boolean quick, String peerName, @Nullable Double target,
                                         Supplier<Competitor> peer) {
        return new Comparison("3 M commands, 1,000 orders", UNIT, peerName, target, Plan.of(quick),
                () -> new BookContest(CommandGenerator.generate(SEED, COMMANDS, 1_000),
                        () -> new OurBook(MAX_ORDERS), peer));
    }
}
