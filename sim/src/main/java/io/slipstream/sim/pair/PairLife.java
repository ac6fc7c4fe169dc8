package io.slipstream.sim.pair;

import java.util.Map;

/**
 * What has happened in a life in which all promises were kept.
 *
 * @param hash       of all events: equal for equal histories
 * @param nanos      of simulated time
 * @param offered    commands
 * @param answered   commands
 * @param isPromoted whether the backup has taken over
 * @param disasters  how often each kind has struck, by name
 */
public record PairLife(
        long hash, long nanos, long offered, long answered, boolean isPromoted, Map<String, Long> disasters) {}
