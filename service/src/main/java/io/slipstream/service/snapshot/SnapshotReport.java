package io.slipstream.service.snapshot;

import java.time.Duration;

/**
 * What came of a snapshot.
 *
 * @param sequence of the last log entry whose effect is in it
 * @param bytes    of state
 * @param took     from its beginning to when it was durable
 * @param pause    for how long commands had to wait for it; zero when it was taken of a second instance
 */
public record SnapshotReport(long sequence, long bytes, Duration took, Duration pause) {}
