package io.slipstream.lab.run;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a fork tells its parent: one line of JSON each, after {@link #PREFIX}, so that other output of a JVM does no
 * harm.
 *
 * @param kind {@code warm-up} and {@code round} carry values, {@code skip} and {@code fault} a message, {@code end} the
 *     calm, and as values what {@code perf} counted during the rounds
 */
record Event(
        String kind,
        @Nullable Map<String, Double> values,
        @Nullable String message,
        @Nullable Calm calm) {
    static final String PREFIX = "@lab ";

    static Event round(boolean warmUp, Map<String, Double> values) {
        return new Event(warmUp ? "warm-up" : "round", values, null, null);
    }

    static Event skip(String message) {
        return new Event("skip", null, message, null);
    }

    static Event fault(String message) {
        return new Event("fault", null, message, null);
    }

    static Event end(Calm calm, Map<String, Double> counts) {
        return new Event("end", counts, null, calm);
    }
}
