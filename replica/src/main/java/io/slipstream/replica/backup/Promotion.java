package io.slipstream.replica.backup;

/**
 * A backup has taken over.
 *
 * @param term     which fences all primaries of before
 * @param sequence of the last record that it has of the former primary
 */
public record Promotion(long term, long sequence) {}
