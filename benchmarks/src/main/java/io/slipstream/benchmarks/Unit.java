package io.slipstream.benchmarks;

/** What a figure counts, and whether more of it is better. */
public record Unit(String name, boolean higherIsBetter) {
    /** A throughput: higher is better. */
    public static Unit throughput(String name) {
        return new Unit(name, true);
    }

    /** A time, or another cost: lower is better. */
    public static Unit cost(String name) {
        return new Unit(name, false);
    }
}
