package io.slipstream.benchmarks.suite;

/**
 * How often to measure.
 *
 * @param jvms how many JVMs, one after another
 * @param warmups rounds of each competitor in each JVM that do not count
 * @param rounds rounds of each competitor in each JVM that count
 */
public record Plan(int jvms, int warmups, int rounds) {
    /** One JVM. */
    public static final Plan QUICK = new Plan(1, 3, 5);

    /** Three JVMs, so that no single decision of the compiler decides. */
    public static final Plan FULL = new Plan(3, 3, 7);

    /** {@link #QUICK} or {@link #FULL}. */
    public static Plan of(boolean quick) {
        return quick ? QUICK : FULL;
    }
}
