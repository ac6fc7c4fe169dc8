package io.slipstream.core.affinity;

/**
 * One cache.
 *
 * @param level     1 is the nearest to the core
 * @param type      what it holds
 * @param bytes     its size
 * @param lineBytes the size of a line
 * @param sharedBy  the CPUs that use it
 */
public record Cache(int level, Type type, long bytes, int lineBytes, CpuSet sharedBy) {
    /** What a cache holds. */
    public enum Type {
        /** Data alone. */
        DATA,
        /** Instructions alone. */
        INSTRUCTION,
        /** Both. */
        UNIFIED
    }
}
