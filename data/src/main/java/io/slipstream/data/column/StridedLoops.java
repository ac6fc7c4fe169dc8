package io.slipstream.data.column;

import java.lang.foreign.MemorySegment;

/** The loops of {@link Loops} over values that lie apart in one block, {@code step} bytes from one to the next. */
final class StridedLoops {
    private StridedLoops() {}

    static long sum(Width width, MemorySegment memory, long base, int step, int rows) {
        long sum = 0;
        for (int i = 0; i < rows; i++) {
            sum += Loops.get(width, memory, base + (long) i * step);
        }
        return sum;
    }

    static long min(Width width, MemorySegment memory, long base, int step, int rows) {
        long min = Long.MAX_VALUE;
        for (int i = 0; i < rows; i++) {
            min = Math.min(min, Loops.get(width, memory, base + (long) i * step));
        }
        return min;
    }

    static long max(Width width, MemorySegment memory, long base, int step, int rows) {
        long max = Long.MIN_VALUE;
        for (int i = 0; i < rows; i++) {
            max = Math.max(max, Loops.get(width, memory, base + (long) i * step));
        }
        return max;
    }

    static long countBetween(Width width, MemorySegment memory, long base, int step, int rows, long low, long high) {
        long count = 0;
        for (int i = 0; i < rows; i++) {
            long value = Loops.get(width, memory, base + (long) i * step);
            count += value >= low & value <= high ? 1 : 0;
        }
        return count;
    }
}
