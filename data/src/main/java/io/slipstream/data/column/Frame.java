package io.slipstream.data.column;

import java.lang.foreign.MemorySegment;

/**
 * A column of a sealed block by its frame of reference: {@code base} is taken off each value, and the rest is kept in
 * as few bytes as it needs. Sums of {@code base} and rest wrap around, so each value comes back exactly.
 *
 * <p>A {@code float} or {@code double} that is packed is a whole number, and {@code base} with the rest are that; one
 * that is constant or plain is its raw bits.
 *
 * @param of the width of the column in a block that is not sealed
 * @param base what is added to each rest
 * @param offset where the rests begin in the block; 0 if there are none
 */
record Frame(Width of, Packing packing, long base, int offset) {
    /** How the rests are kept. The place among the constants is part of the format of files. */
    enum Packing {
        /** All values are {@code base}: there are no rests. */
        CONSTANT,
        /** Rests of 0 or 1, 64 to a word, the lowest first. */
        BIT,
        /** Rests of a {@code byte}; {@code base} is 2^7 above the least value. */
        ONE_BYTE,
        /** Rests of a {@code short}; {@code base} is 2^15 above the least value. */
        TWO_BYTES,
        /** Rests of an {@code int}; {@code base} is 2^31 above the least value. */
        FOUR_BYTES,
        /** The values themselves; {@code base} is 0. */
        PLAIN
    }

    /** Doubles count whole numbers exactly up to here. */
    private static final long MOST_WHOLE = 1L << 53;

    private static final long MOST_REST = 0xffff_ffffL;

    /** Returns the frame of a column of a block that is not sealed, with {@code offset} 0. */
    static Frame of(BlockLayout layout, MemorySegment memory, int column) {
        Width of = layout.width(column);
        int rows = layout.rowsPerBlock();
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        boolean isConstant = true;
        boolean isWhole = true;
        boolean isFraction = of == Width.FLOAT || of == Width.DOUBLE;
        long first = layout.bits(memory, column, 0);
        for (int i = 0; i < rows && (isWhole || isConstant); i++) {
            long bits = layout.bits(memory, column, i);
            isConstant &= bits == first;
            if (isFraction) {
                isWhole = isWhole && isWhole(of, bits);
                bits = isWhole ? (long) toDouble(of, bits) : 0;
            }
            least = Math.min(least, bits);
            most = Math.max(most, bits);
        }
        if (isConstant) {
            return new Frame(of, Packing.CONSTANT, first, 0);
        }
        Packing packing = isWhole ? packing(of, most - least) : Packing.PLAIN;
        return new Frame(of, packing, base(packing, least), 0);
    }

    private static Packing packing(Width of, long span) {
        if (of == Width.BIT || span == 1) {
            return Packing.BIT;
        }
        if (span < 0 || span > MOST_REST) {
            return Packing.PLAIN;
        }
        Packing packing = span <= 0xff ? Packing.ONE_BYTE : span <= 0xffff ? Packing.TWO_BYTES : Packing.FOUR_BYTES;
        return of.bytes() > rest(packing, of).bytes() ? packing : Packing.PLAIN;
    }

    private static long base(Packing packing, long least) {
        return packing == Packing.PLAIN ? 0 : least - leastRest(packing);
    }

    /** Rests are signed, as the JIT compiler makes vector instructions of loops over signed values alone. */
    private static long leastRest(Packing packing) {
        return switch (packing) {
            case ONE_BYTE -> Byte.MIN_VALUE;
            case TWO_BYTES -> Short.MIN_VALUE;
            case FOUR_BYTES -> Integer.MIN_VALUE;
            default -> 0;
        };
    }

    private static Width rest(Packing packing, Width of) {
        return switch (packing) {
            case CONSTANT, BIT -> Width.BIT;
            case ONE_BYTE -> Width.BYTE;
            case TWO_BYTES -> Width.SHORT;
            case FOUR_BYTES -> Width.INT;
            case PLAIN -> of;
        };
    }

    private static double toDouble(Width of, long bits) {
        return of == Width.FLOAT ? Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits);
    }

    private static long toBits(Width of, long whole) {
        return of == Width.FLOAT ? Float.floatToRawIntBits(whole) : Double.doubleToRawLongBits(whole);
    }

    private static boolean isWhole(Width of, long bits) {
        double value = toDouble(of, bits);
        return Math.abs(value) <= MOST_WHOLE && toBits(of, (long) value) == bits;
    }

    Frame at(int place) {
        return new Frame(of, packing, base, place);
    }

    /** Returns whether {@link #packing} is one that a column of this width can have. */
    boolean isPossible() {
        return packing == Packing.PLAIN
                ? of != Width.BIT && base == 0
                : packing == Packing.CONSTANT
                        || packing == Packing.BIT
                        || of.bytes() > rest(packing, of).bytes();
    }

    private boolean isWholeFraction() {
        return (of == Width.FLOAT || of == Width.DOUBLE) && packing != Packing.CONSTANT && packing != Packing.PLAIN;
    }

    /** Returns the bytes that the rests take. */
    long bytes(int rows) {
        return packing == Packing.CONSTANT ? 0 : rest(packing, of).bytesOf(rows);
    }

    /** Keeps the value of a row; {@code memory} is zero before. */
    void put(MemorySegment memory, int row, long bits) {
        long rest = (isWholeFraction() ? (long) toDouble(of, bits) : bits) - base;
        switch (packing) {
            case CONSTANT -> {}
            case BIT -> {
                long at = offset + (row >>> 3);
                memory.set(Layouts.BYTE, at, (byte) (memory.get(Layouts.BYTE, at) | rest << (row & 7)));
            }
            case ONE_BYTE -> memory.set(Layouts.BYTE, offset + (long) row, (byte) rest);
            case TWO_BYTES -> memory.set(Layouts.SHORT, offset + ((long) row << 1), (short) rest);
            case FOUR_BYTES -> memory.set(Layouts.INT, offset + ((long) row << 2), (int) rest);
            case PLAIN -> BlockLayout.putBits(memory, of, offset + (long) row * of.bytes(), bits);
        }
    }

    /** Returns the number of a row: a value that is no fraction, or a whole one. */
    private long number(MemorySegment memory, int row) {
        return switch (packing) {
            case CONSTANT -> base;
            case BIT -> base + (memory.get(Layouts.BYTE, offset + (row >>> 3)) >>> (row & 7) & 1);
            case ONE_BYTE -> base + memory.get(Layouts.BYTE, offset + (long) row);
            case TWO_BYTES -> base + memory.get(Layouts.SHORT, offset + ((long) row << 1));
            case FOUR_BYTES -> base + memory.get(Layouts.INT, offset + ((long) row << 2));
            case PLAIN -> BlockLayout.bits(memory, of, offset + (long) row * of.bytes());
        };
    }

    /** Returns the value of a row: a whole number, 0 or 1, or the raw bits of a fraction. */
    long bits(MemorySegment memory, int row) {
        long number = number(memory, row);
        return isWholeFraction() ? toBits(of, number) : number;
    }

    /** Returns the value of a row of a column of fractions. */
    double value(MemorySegment memory, int row) {
        long number = number(memory, row);
        return isWholeFraction() ? number : toDouble(of, number);
    }

    /** Returns the bits of 64 rows of a column of bits. */
    long word(MemorySegment memory, int index) {
        return packing == Packing.CONSTANT ? -base : memory.get(Layouts.LONG, offset + ((long) index << 3));
    }

    /** Returns the sum of the first rows of a column of whole numbers; it wraps around. */
    long sum(MemorySegment memory, int rows) {
        return rows * base
                + switch (packing) {
                    case CONSTANT -> 0;
                    case BIT -> ones(memory, rows);
                    default -> Loops.sum(rest(packing, of), memory, offset, rows);
                };
    }

    /** Returns the least value of the first rows, of which there are some. */
    long min(MemorySegment memory, int rows) {
        return base
                + switch (packing) {
                    case CONSTANT -> 0;
                    case BIT -> ones(memory, rows) == rows ? 1 : 0;
                    default -> Loops.min(rest(packing, of), memory, offset, rows);
                };
    }

    /** Returns the greatest value of the first rows, of which there are some. */
    long max(MemorySegment memory, int rows) {
        return base
                + switch (packing) {
                    case CONSTANT -> 0;
                    case BIT -> ones(memory, rows) > 0 ? 1 : 0;
                    default -> Loops.max(rest(packing, of), memory, offset, rows);
                };
    }

    /** Returns how many values of the first rows are from {@code low} to {@code high}, both included. */
    long countBetween(MemorySegment memory, int rows, long low, long high) {
        if (packing == Packing.PLAIN) {
            return Loops.countBetween(of, memory, offset, rows, low, high);
        }
        // All values are from first to last, neither of which has wrapped around: rests of bounds within do not either.
        long first = base + leastRest(packing);
        long last = first + mostRest();
        last = last < first ? Long.MAX_VALUE : last;
        if (low > high || low > last || high < first) {
            return 0;
        }
        long lowRest = Math.max(low, first) - base;
        long highRest = Math.min(high, last) - base;
        return switch (packing) {
            case CONSTANT -> rows;
            case BIT -> {
                long ones = ones(memory, rows);
                yield (lowRest == 0 ? rows - ones : 0) + (highRest == 1 ? ones : 0);
            }
            default -> Loops.countBetween(rest(packing, of), memory, offset, rows, lowRest, highRest);
        };
    }

    private long mostRest() {
        return switch (packing) {
            case CONSTANT -> 0;
            case BIT -> 1;
            case ONE_BYTE -> 0xff;
            case TWO_BYTES -> 0xffff;
            default -> MOST_REST;
        };
    }

    private long ones(MemorySegment memory, int rows) {
        long ones = 0;
        int words = rows >>> 6;
        for (int i = 0; i < words; i++) {
            ones += Long.bitCount(memory.get(Layouts.LONG, offset + ((long) i << 3)));
        }
        if ((rows & 63) != 0) {
            ones += Long.bitCount(memory.get(Layouts.LONG, offset + ((long) words << 3)) & (1L << rows) - 1);
        }
        return ones;
    }
}
