package io.slipstream.core.affinity;

import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * A set of CPUs by the numbers that the operating system gives them. Immutable.
 *
 * <p>The text form is the system's own list form, as in {@code 0-3,8,10-11}.
 */
public final class CpuSet {
    /** The highest number that a CPU may have here. */
    public static final int MAX_CPU = 8191;

    private static final CpuSet EMPTY = new CpuSet(new BitSet());

    private final BitSet bits;

    private CpuSet(BitSet bits) {
        this.bits = bits;
    }

    /** Returns the empty set. */
    public static CpuSet empty() {
        return EMPTY;
    }

    /** Returns the set of these CPUs. */
    public static CpuSet of(int... cpus) {
        BitSet bits = new BitSet();
        for (int cpu : cpus) {
            bits.set(checked(cpu));
        }
        return new CpuSet(bits);
    }

    /**
     * Reads the list form; blanks around numbers do not matter, and an empty text is the empty set.
     *
     * @throws IllegalArgumentException if it is something else, or a number is over {@link #MAX_CPU}
     */
    public static CpuSet parse(String list) {
        BitSet bits = new BitSet();
        if (!list.isBlank()) {
            for (String part : list.strip().split(",", -1)) {
                addRange(bits, part.strip(), list);
            }
        }
        return new CpuSet(bits);
    }

    private static void addRange(BitSet bits, String part, String list) {
        try {
            int dash = part.indexOf('-');
            int first = checked(
                    Integer.parseInt(dash < 0 ? part : part.substring(0, dash).strip()));
            int last = dash < 0
                    ? first
                    : checked(Integer.parseInt(part.substring(dash + 1).strip()));
            if (last < first) {
                throw new IllegalArgumentException("a range runs upward");
            }
            bits.set(first, last + 1);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "a list of CPUs looks like 0-3,8 with numbers up to " + MAX_CPU + ", not '" + list + "'", e);
        }
    }

    private static int checked(int cpu) {
        if (cpu < 0 || cpu > MAX_CPU) {
            throw new IllegalArgumentException("a CPU has a number from 0 to " + MAX_CPU + ", not " + cpu);
        }
        return cpu;
    }

    /** Returns whether the set has no CPU. */
    public boolean isEmpty() {
        return bits.isEmpty();
    }

    /** Returns how many CPUs are in the set. */
    public int size() {
        return bits.cardinality();
    }

    /** Returns whether {@code cpu} is in the set. */
    public boolean contains(int cpu) {
        return cpu >= 0 && bits.get(cpu);
    }

    /** Returns whether all of {@code other} are in the set. */
    public boolean containsAll(CpuSet other) {
        return other.minus(this).isEmpty();
    }

    /** Returns the CPUs in ascending order. */
    public IntStream stream() {
        return bits.stream();
    }

    /** Returns the CPUs that are in both sets. */
    public CpuSet and(CpuSet other) {
        BitSet result = copy();
        result.and(other.bits);
        return new CpuSet(result);
    }

    /** Returns the CPUs that are in this set and not in the other. */
    public CpuSet minus(CpuSet other) {
        BitSet result = copy();
        result.andNot(other.bits);
        return new CpuSet(result);
    }

    private BitSet copy() {
        return (BitSet) bits.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CpuSet set && set.bits.equals(bits);
    }

    @Override
    public int hashCode() {
        return bits.hashCode();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int first = bits.nextSetBit(0); first >= 0; ) {
            int end = bits.nextClearBit(first);
            text.append(text.isEmpty() ? "" : ",").append(first);
            if (end - first > 1) {
                text.append('-').append(end - 1);
            }
            first = bits.nextSetBit(end);
        }
        return text.toString();
    }
}
