package io.slipstream.core.counters;

/**
 * One counter as it was read.
 *
 * @param owner the component that it belongs to
 * @param label what it counts
 * @param type  what the number means
 * @param value the number
 */
public record CounterValue(String owner, String label, CounterType type, long value) {}
