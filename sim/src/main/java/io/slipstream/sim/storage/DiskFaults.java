package io.slipstream.sim.storage;

/**
 * What goes wrong with a simulated disk, and how often.
 *
 * @param readError     probability that a read fails
 * @param writeError    probability that a write fails, after having written a part
 * @param forceError    probability that a force fails; what it did not write counts as clean from then on, as on Linux
 * @param shortWrite    probability that a write takes a part only, up to the end of some sector
 * @param capacityBytes size of the disk; a write that needs more takes what fits, and the next one fails
 * @param latencyNanos  the longest time that an operation takes, on the simulated clock; 0 for none
 */
public record DiskFaults(
        double readError,
        double writeError,
        double forceError,
        double shortWrite,
        long capacityBytes,
        long latencyNanos) {
    /** Faults of a disk that is as fast as the simulated time. */
    public DiskFaults(double readError, double writeError, double forceError, double shortWrite, long capacityBytes) {
        this(readError, writeError, forceError, shortWrite, capacityBytes, 0);
    }

    /** A disk that never fails. */
    public static final DiskFaults NONE = new DiskFaults(0, 0, 0, 0, Long.MAX_VALUE, 0);

    /** Returns a copy with another size. */
    public DiskFaults withCapacityBytes(long bytes) {
        return new DiskFaults(readError, writeError, forceError, shortWrite, bytes, latencyNanos);
    }

    /** Returns a copy of a disk that is as slow and never fails. */
    public DiskFaults mended() {
        return NONE.withLatencyNanos(latencyNanos);
    }

    /** Returns a copy whose operations take up to {@code nanos}. */
    public DiskFaults withLatencyNanos(long nanos) {
        return new DiskFaults(readError, writeError, forceError, shortWrite, capacityBytes, nanos);
    }
}
