package io.slipstream.cli.demo;

import io.slipstream.cli.demo.Verdicts.Outcome;
import io.slipstream.cli.load.Load;
import io.slipstream.cli.load.LoadTable;
import java.util.Locale;

/**
 * When an overloaded exchange keeps what is promised: offered three times its capacity, it goes on with at least 95 %
 * of its work at the peak, and answers what it accepts within its maximum.
 *
 * <p>Here its clients share the processors with it. They take from the exchange what refusing many commands costs them,
 * and they wait for a processor before they send and before they see an answer, which counts as response time. So
 * between the promised line and a second, wider one it cannot be told whose fault it was, and beyond that one the
 * promise is broken.
 *
 * @param capacity          commands a second that it can take
 * @param maxResponseMillis for which it is set
 */
record OverloadRules(double capacity, int maxResponseMillis) {
    /** How many times its capacity the exchange has to be offered. */
    static final double TIMES = 3;

    private static final double PROMISED_GOODPUT = 0.95;
    private static final double BROKEN_GOODPUT = 0.6;
    private static final int BROKEN_RESPONSES = 4;

    /** Judges a load. */
    void judge(Load.Result result, Verdicts verdicts) {
        double times = result.offeredPerSecond() / capacity;
        double goodput = result.answeredPerSecond() / capacity;
        verdicts.add(
                "overloaded, it goes on with its work",
                outcome(times, goodput >= PROMISED_GOODPUT, goodput < BROKEN_GOODPUT * Math.min(1, times)),
                String.format(
                        Locale.ROOT,
                        "%.0f %% or more, at %.0f times or more; less than %.0f %% is broken",
                        100 * PROMISED_GOODPUT,
                        TIMES,
                        100 * BROKEN_GOODPUT),
                "%,.0f commands/s offered, %.1f times what it can take; %,.0f/s answered, %.0f %% of the peak",
                result.offeredPerSecond(),
                times,
                result.answeredPerSecond(),
                100 * goodput);
        long p99 = result.latencies().getValueAtPercentile(99);
        long promised = maxResponseMillis * 1_000_000L;
        long refused = result.tally().busy();
        verdicts.add(
                "overloaded, it answers what it accepts in time",
                outcome(times, p99 <= promised && refused > 0, p99 > BROKEN_RESPONSES * promised),
                String.format(
                        Locale.ROOT,
                        "99 %% within %d ms, at %.0f times or more; more than %d ms is broken",
                        maxResponseMillis,
                        TIMES,
                        BROKEN_RESPONSES * maxResponseMillis),
                "99 %% within %s, %,d refused; an unbounded queue would be %.1f s long by now",
                LoadTable.time(p99),
                refused,
                refused / capacity);
    }

    private static Outcome outcome(double times, boolean holds, boolean broken) {
        return broken ? Outcome.BROKEN : holds && times >= TIMES ? Outcome.HOLDS : Outcome.INCONCLUSIVE;
    }
}
