package io.slipstream.lab.run.quiet;

import java.util.Arrays;
import java.util.List;

/**
 * How late an idle thread woke up in the course of time.
 *
 * @param stepMillis the length of a step
 * @param worstMicros the worst of each step
 */
public record Trace(double stepMillis, List<Integer> worstMicros) {
    public static final Trace NONE = new Trace(0, List.of());

    /** Takes in what comes, however long it takes: when the steps are used up, two become one. */
    public static final class Recorder {
        private static final int STEPS = 64;

        private final int[] worstMicros = new int[STEPS];
        private long stepNanos;
        private int used;

        Recorder(long stepNanos) {
            this.stepNanos = stepNanos;
        }

        synchronized void add(long atNanos, long lateNanos) {
            while (atNanos / stepNanos >= STEPS) {
                for (int i = 0; i < STEPS; i++) {
                    worstMicros[i] = 2 * i < STEPS ? Math.max(worstMicros[2 * i], worstMicros[2 * i + 1]) : 0;
                }
                used = (used + 1) / 2;
                stepNanos *= 2;
            }
            int step = (int) (atNanos / stepNanos);
            worstMicros[step] = Math.max(worstMicros[step], (int) Math.min(Integer.MAX_VALUE, lateNanos / 1_000));
            used = Math.max(used, step + 1);
        }

        synchronized Trace trace() {
            return new Trace(
                    stepNanos / 1e6, Arrays.stream(worstMicros, 0, used).boxed().toList());
        }
    }
}
