package io.slipstream.benchmarks.suite;

/**
 * What a figure counts, and whether more of it is better.
 *
 * @param bytes how many bytes of payload a second a figure of 1 stands for, where something is written; otherwise 0
 */
public record Unit(String name, boolean higherIsBetter, double bytes) {
    /** A throughput: higher is better. */
    public static Unit throughput(String name) {
        return new Unit(name, true, 0);
    }

    /** A throughput of what is written, of which a figure of 1 stands for {@code bytes} of payload a second. */
    public static Unit written(String name, double bytes) {
        return new Unit(name, true, bytes);
    }

    /** A time, or another cost: lower is better. */
    public static Unit cost(String name) {
        return new Unit(name, false, 0);
    }
}
