package io.slipstream.sim.tally;

import java.util.Map;

/**
 * What has happened in a life in which all promises were kept.
 *
 * @param hash      of all events: equal for equal histories
 * @param nanos     of simulated time
 * @param offered   commands
 * @param answered  commands
 * @param changes   how often another one has taken over
 * @param disasters how often each kind has struck, by name
 */
public record Life(long hash, long nanos, long offered, long answered, long changes, Map<String, Long> disasters) {}
