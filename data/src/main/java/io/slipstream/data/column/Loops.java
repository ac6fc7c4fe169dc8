package io.slipstream.data.column;

import java.lang.foreign.MemorySegment;

/**
 * Loops over values that lie side by side in one block, one for each width: plain, so that the JIT compiler makes
 * vector instructions of them. {@code base} is where the column begins.
 */
final class Loops {
    private Loops() {}

    /** Returns the value that lies at {@code at}. */
    static long get(Width width, MemorySegment memory, long at) {
        return switch (width) {
            case BYTE -> memory.get(Layouts.BYTE, at);
            case UNSIGNED_BYTE -> memory.get(Layouts.BYTE, at) & 0xff;
            case SHORT -> memory.get(Layouts.SHORT, at);
            case CHAR -> memory.get(Layouts.CHAR, at);
            case INT -> memory.get(Layouts.INT, at);
            case LONG -> memory.get(Layouts.LONG, at);
            default -> throw new IllegalArgumentException("a column of " + width + " holds no whole numbers");
        };
    }

    static long sum(Width width, MemorySegment memory, long base, int rows) {
        return switch (width) {
            case BYTE -> sumByte(memory, base, rows);
            case UNSIGNED_BYTE -> sumUnsignedByte(memory, base, rows);
            case SHORT -> sumShort(memory, base, rows);
            case CHAR -> sumChar(memory, base, rows);
            case INT -> sumInt(memory, base, rows);
            case LONG -> sumLong(memory, base, rows);
            default -> throw new IllegalArgumentException("a column of " + width + " holds no whole numbers");
        };
    }

    static long min(Width width, MemorySegment memory, long base, int rows) {
        return switch (width) {
            case BYTE -> minByte(memory, base, rows);
            case UNSIGNED_BYTE -> minUnsignedByte(memory, base, rows);
            case SHORT -> minShort(memory, base, rows);
            case CHAR -> minChar(memory, base, rows);
            case INT -> minInt(memory, base, rows);
            case LONG -> minLong(memory, base, rows);
            default -> throw new IllegalArgumentException("a column of " + width + " holds no whole numbers");
        };
    }

    static long max(Width width, MemorySegment memory, long base, int rows) {
        return switch (width) {
            case BYTE -> maxByte(memory, base, rows);
            case UNSIGNED_BYTE -> maxUnsignedByte(memory, base, rows);
            case SHORT -> maxShort(memory, base, rows);
            case CHAR -> maxChar(memory, base, rows);
            case INT -> maxInt(memory, base, rows);
            case LONG -> maxLong(memory, base, rows);
            default -> throw new IllegalArgumentException("a column of " + width + " holds no whole numbers");
        };
    }

    static long countBetween(Width width, MemorySegment memory, long base, int rows, long low, long high) {
        return switch (width) {
            case BYTE -> countBetweenByte(memory, base, rows, low, high);
            case UNSIGNED_BYTE -> countBetweenUnsignedByte(memory, base, rows, low, high);
            case SHORT -> countBetweenShort(memory, base, rows, low, high);
            case CHAR -> countBetweenChar(memory, base, rows, low, high);
            case INT -> countBetweenInt(memory, base, rows, low, high);
            case LONG -> countBetweenLong(memory, base, rows, low, high);
            default -> throw new IllegalArgumentException("a column of " + width + " holds no whole numbers");
        };
    }

    private static long sumByte(MemorySegment memory, long base, int rows) {
        long sum = 0;
        for (int i = 0; i < rows; i++) {
            sum += memory.get(Layouts.BYTE, base + i);
        }
        return sum;
    }

    private static long minByte(MemorySegment memory, long base, int rows) {
        long min = Long.MAX_VALUE;
        for (int i = 0; i < rows; i++) {
            min = Math.min(min, memory.get(Layouts.BYTE, base + i));
        }
        return min;
    }

    private static long maxByte(MemorySegment memory, long base, int rows) {
        long max = Long.MIN_VALUE;
        for (int i = 0; i < rows; i++) {
            max = Math.max(max, memory.get(Layouts.BYTE, base + i));
        }
        return max;
    }

    private static long countBetweenByte(MemorySegment memory, long base, int rows, long low, long high) {
        long count = 0;
        for (int i = 0; i < rows; i++) {
            long value = memory.get(Layouts.BYTE, base + i);
            count += value >= low & value <= high ? 1 : 0;
        }
        return count;
    }

    private static long sumUnsignedByte(MemorySegment memory, long base, int rows) {
        long sum = 0;
        for (int i = 0; i < rows; i++) {
            sum += memory.get(Layouts.BYTE, base + i) & 0xff;
        }
        return sum;
    }

    private static long minUnsignedByte(MemorySegment memory, long base, int rows) {
        long min = Long.MAX_VALUE;
        for (int i = 0; i < rows; i++) {
            min = Math.min(min, memory.get(Layouts.BYTE, base + i) & 0xff);
        }
        return min;
    }

    private static long maxUnsignedByte(MemorySegment memory, long base, int rows) {
        long max = Long.MIN_VALUE;
        for (int i = 0; i < rows; i++) {
            max = Math.max(max, memory.get(Layouts.BYTE, base + i) & 0xff);
        }
        return max;
    }

    private static long countBetweenUnsignedByte(MemorySegment memory, long base, int rows, long low, long high) {
        long count = 0;
        for (int i = 0; i < rows; i++) {
            long value = memory.get(Layouts.BYTE, base + i) & 0xff;
            count += value >= low & value <= high ? 1 : 0;
        }
        return count;
    }

    private static long sumShort(MemorySegment memory, long base, int rows) {
        long sum = 0;
        for (int i = 0; i < rows; i++) {
            sum += memory.get(Layouts.SHORT, base + ((long) i << 1));
        }
        return sum;
    }

    private static long minShort(MemorySegment memory, long base, int rows) {
        long min = Long.MAX_VALUE;
        for (int i = 0; i < rows; i++) {
            min = Math.min(min, memory.get(Layouts.SHORT, base + ((long) i << 1)));
        }
        return min;
    }

    private static long maxShort(MemorySegment memory, long base, int rows) {
        long max = Long.MIN_VALUE;
        for (int i = 0; i < rows; i++) {
            max = Math.max(max, memory.get(Layouts.SHORT, base + ((long) i << 1)));
        }
        return max;
    }

    private static long countBetweenShort(MemorySegment memory, long base, int rows, long low, long high) {
        long count = 0;
        for (int i = 0; i < rows; i++) {
            long value = memory.get(Layouts.SHORT, base + ((long) i << 1));
            count += value >= low & value <= high ? 1 : 0;
        }
        return count;
    }

    private static long sumChar(MemorySegment memory, long base, int rows) {
        long sum = 0;
        for (int i = 0; i < rows; i++) {
            sum += memory.get(Layouts.CHAR, base + ((long) i << 1));
        }
        return sum;
    }

    private static long minChar(MemorySegment memory, long base, int rows) {
        long min = Long.MAX_VALUE;
        for (int i = 0; i < rows; i++) {
            min = Math.min(min, memory.get(Layouts.CHAR, base + ((long) i << 1)));
        }
        return min;
    }

    private static long maxChar(MemorySegment memory, long base, int rows) {
        long max = Long.MIN_VALUE;
        for (int i = 0; i < rows; i++) {
            max = Math.max(max, memory.get(Layouts.CHAR, base + ((long) i << 1)));
        }
        return max;
    }

    private static long countBetweenChar(MemorySegment memory, long base, int rows, long low, long high) {
        long count = 0;
        for (int i = 0; i < rows; i++) {
            long value = memory.get(Layouts.CHAR, base + ((long) i << 1));
            count += value >= low & value <= high ? 1 : 0;
        }
        return count;
    }

    private static long sumInt(MemorySegment memory, long base, int rows) {
        long sum = 0;
        for (int i = 0; i < rows; i++) {
            sum += memory.get(Layouts.INT, base + ((long) i << 2));
        }
        return sum;
    }

    private static long minInt(MemorySegment memory, long base, int rows) {
        long min = Long.MAX_VALUE;
        for (int i = 0; i < rows; i++) {
            min = Math.min(min, memory.get(Layouts.INT, base + ((long) i << 2)));
        }
        return min;
    }

    private static long maxInt(MemorySegment memory, long base, int rows) {
        long max = Long.MIN_VALUE;
        for (int i = 0; i < rows; i++) {
            max = Math.max(max, memory.get(Layouts.INT, base + ((long) i << 2)));
        }
        return max;
    }

    private static long countBetweenInt(MemorySegment memory, long base, int rows, long low, long high) {
        long count = 0;
        for (int i = 0; i < rows; i++) {
            long value = memory.get(Layouts.INT, base + ((long) i << 2));
            count += value >= low & value <= high ? 1 : 0;
        }
        return count;
    }

    private static long sumLong(MemorySegment memory, long base, int rows) {
        long sum = 0;
        for (int i = 0; i < rows; i++) {
            sum += memory.get(Layouts.LONG, base + ((long) i << 3));
        }
        return sum;
    }

    private static long minLong(MemorySegment memory, long base, int rows) {
        long min = Long.MAX_VALUE;
        for (int i = 0; i < rows; i++) {
            min = Math.min(min, memory.get(Layouts.LONG, base + ((long) i << 3)));
        }
        return min;
    }

    private static long maxLong(MemorySegment memory, long base, int rows) {
        long max = Long.MIN_VALUE;
        for (int i = 0; i < rows; i++) {
            max = Math.max(max, memory.get(Layouts.LONG, base + ((long) i << 3)));
        }
        return max;
    }

    private static long countBetweenLong(MemorySegment memory, long base, int rows, long low, long high) {
        long count = 0;
        for (int i = 0; i < rows; i++) {
            long value = memory.get(Layouts.LONG, base + ((long) i << 3));
            count += value >= low & value <= high ? 1 : 0;
        }
        return count;
    }
}
