package io.slipstream.benchmarks.journal;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.record.JournalRecord;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** What is written: a number, and then always the same bytes. */
final class Payload {
    static final long SUM_FACTOR = 0x9E3779B97F4A7C15L;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private Payload() {}

    /** Returns {@code count} frames side by side. */
    static MemorySegment frames(int payloadBytes, int count) {
        int length = JournalRecord.HEADER_BYTES + payloadBytes;
        MemorySegment memory = Arena.ofAuto().allocate((long) Frame.align(length) * count, 64);
        for (int i = 0; i < count; i++) {
            long at = (long) i * Frame.align(length);
            JournalRecord.header(memory, at, length, (short) 1, (byte) 1, (byte) 0);
            for (int k = JournalRecord.HEADER_BYTES; k < length; k++) {
                memory.set(ValueLayout.JAVA_BYTE, at + k, (byte) k);
            }
        }
        return memory;
    }

    static void number(MemorySegment memory, long frame, long number) {
        memory.set(LONG, frame + JournalRecord.HEADER_BYTES, number);
    }

    static long number(MemorySegment memory, long frame) {
        return memory.get(LONG, frame + JournalRecord.HEADER_BYTES);
    }

    /** Returns what the sum over all numbers up to {@code count}, each mixed, must be. */
    static long expectedSum(long count) {
        long sum = 0;
        for (long i = 0; i < count; i++) {
            sum = sum * 31 + i * SUM_FACTOR;
        }
        return sum;
    }

    static void check(String who, long sum, long expected) {
        if (sum != expected) {
            throw new IllegalStateException(who + " did not read back what was written");
        }
    }
}
