package io.slipstream.lab.run;

import io.slipstream.lab.run.quiet.Calm;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a fork tells its parent: one line of JSON each, after {@link #PREFIX}, so that other output of a JVM does no
 * harm.
 *
 * @param kind {@code warm-up} and {@code round} carry values, {@code skip} and {@code fault} a message, {@code end} the
 *     rest, and as values what {@code perf} counted during the rounds
 * @param threads how many the rounds kept busy
 * @param warning what was not as it should be
 */
record Event(
        String kind,
        @Nullable Map<String, Double> values,
        @Nullable String message,
        @Nullable Calm calm,
        int threads,
        @Nullable String warning) {
    static final String PREFIX = "@lab ";

    static Event round(boolean warmUp, Map<String, Double> values) {
        return new Event(warmUp ? "warm-up" : "round", values, null, null, 0, null);
    }

    static Event skip(String message) {
        return new Event("skip", null, message, null, 0, null);
    }

    static Event fault(String message) {
        return new Event("fault", null, message, null, 0, null);
    }

    static Event end(Calm calm, Map<String, Double> counts, int threads, @Nullable String warning) {
        return new Event("end", counts, null, calm, threads, warning);
    }
}
