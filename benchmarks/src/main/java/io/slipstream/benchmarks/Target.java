package io.slipstream.benchmarks;

import java.util.Locale;

/** The bar for a ratio: at least {@code ratio} where higher is better, at most {@code ratio} where lower is. */
record Target(double ratio, boolean higherIsBetter) {
    boolean isMetBy(double measured) {
        return higherIsBetter ? measured >= ratio : measured <= ratio;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s %.2f", higherIsBetter ? ">=" : "<=", ratio);
    }
}
