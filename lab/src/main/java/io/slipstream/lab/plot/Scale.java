package io.slipstream.lab.plot;

import java.util.ArrayList;
import java.util.List;

/** Maps values to pixels, linearly from zero or logarithmically, and finds the places for ticks. */
final class Scale {
    private final double low;
    private final double high;
    private final boolean logarithmic;
    private final double from;
    private final double to;

    private Scale(double low, double high, boolean logarithmic, double from, double to) {
        this.low = low;
        this.high = high;
        this.logarithmic = logarithmic;
        this.from = from;
        this.to = to;
    }

    /** From zero to a round number above the largest value. */
    static Scale linear(double largest, double from, double to) {
        double step = step(largest);
        return new Scale(0, Math.max(step, Math.ceil(largest / step - 1e-9) * step), false, from, to);
    }

    /**
     * From the power of ten below the smallest value to the one above the largest; what is not positive lies at the low
     * end.
     */
    static Scale logarithmic(double smallest, double largest, double from, double to) {
        double top = largest > 0 ? largest : 1;
        double bottom = smallest > 0 && smallest < top ? smallest : top;
        double low = Math.pow(10, Math.floor(Math.log10(bottom) + 1e-9));
        double high = Math.pow(10, Math.ceil(Math.log10(top) - 1e-9));
        return new Scale(low, high <= low ? low * 10 : high, true, from, to);
    }

    /** Logarithmic, without rounding the ends. */
    static Scale logarithmicExact(double smallest, double largest, double from, double to) {
        return new Scale(smallest, largest <= smallest ? smallest * 2 : largest, true, from, to);
    }

    double at(double value) {
        double part = logarithmic
                ? Math.log(Math.max(value, low) / low) / Math.log(high / low)
                : (value - low) / (high - low);
        return from + part * (to - from);
    }

    /** Round values in the range, ends included. */
    List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        if (logarithmic) {
            for (double tick = low; tick <= high * 1.0001; tick *= 10) {
                ticks.add(tick);
            }
            return ticks;
        }
        double step = step(high);
        for (int i = 0; i * step <= high * 1.0001; i++) {
            ticks.add(i * step);
        }
        return ticks;
    }

    /** 1, 2 or 5 times a power of ten, so that three to six of them reach the value. */
    private static double step(double largest) {
        if (!(largest > 0)) {
            return 1;
        }
        double power = Math.pow(10, Math.floor(Math.log10(largest / 3)));
        double ratio = largest / 3 / power;
        return power * (ratio < 2 ? 1 : ratio < 5 ? 2 : 5);
    }
}
