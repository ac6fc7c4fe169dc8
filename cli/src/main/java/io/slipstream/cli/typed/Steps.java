package io.slipstream.cli.typed;

import io.slipstream.cli.load.Load;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a load, one rate after the other.
 *
 * @param rates         in commands a second
 * @param growth        by which the last rate grows on and on, up to the knee; 0 if the rates are all
 * @param time          of each step
 * @param mostLateMillis what 99 % are answered within before the knee
 */
record Steps(List<Double> rates, double growth, Duration time, double mostLateMillis) {
    private static final int MOST_STEPS = 40;

    /** Runs them; {@code begin} hears of each rate, {@code each} of each second. */
    List<Measured> run(Runner runner, Consumer<Double> begin, Load.Reporter each) throws IOException {
        List<Measured> all = new ArrayList<>();
        double rate = 0;
        for (int step = 0; step < rates.size() || growth > 0 && step < MOST_STEPS; step++) {
            rate = step < rates.size() ? rates.get(step) : rate * growth;
            begin.accept(rate);
            Measured measured = runner.run(rate, time, each);
            all.add(measured);
            if (growth > 0 && measured.isBeyondKnee(mostLateMillis)) {
                break;
            }
        }
        return all;
    }

    /** Returns the last step before the knee; null if there was none. */
    @Nullable
    Measured knee(List<Measured> all) {
        Measured best = null;
        for (Measured each : all) {
            if (!each.isBeyondKnee(mostLateMillis) && (best == null || each.rate() > best.rate())) {
                best = each;
            }
        }
        return best;
    }
}
