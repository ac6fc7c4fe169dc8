package io.slipstream.ipc;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Messages that tell whether they are whole: a number, and bytes that follow from it. */
final class Channels {
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Channels() {}

    static int lengthOf(long number, int most) {
        return 8 + Math.floorMod(number * 0x9e3779b97f4a7c15L >>> 7, Math.max(1, most - 7));
    }

    static void write(MemorySegment memory, long offset, int length, long number) {
        memory.set(LONG, offset, number);
        for (int i = 8; i < length; i++) {
            memory.set(ValueLayout.JAVA_BYTE, offset + i, (byte) (number + i));
        }
    }

    static void publish(IpcPublisher publisher, long number, int most) {
        int length = lengthOf(number, most);
        long position = publisher.claim(length);
        write(publisher.memory(), publisher.messageOffset(position), length, number);
        publisher.publish(position);
    }

    static boolean tryPublish(IpcPublisher publisher, long number, int most) {
        int length = lengthOf(number, most);
        long position = publisher.tryClaim(length);
        if (position >= 0) {
            write(publisher.memory(), publisher.messageOffset(position), length, number);
            publisher.publish(position);
        }
        return position >= 0;
    }

    /** Returns the number of a message that is whole. */
    static long read(MemorySegment memory, long offset, int length, int most) {
        long number = memory.get(LONG, offset + 8);
        if (length - 8 != lengthOf(number, most)) {
            throw new AssertionError(
                    "message " + number + " has " + (length - 8) + " bytes, not " + lengthOf(number, most));
        }
        for (int i = 8; i < length - 8; i++) {
            if (memory.get(ValueLayout.JAVA_BYTE, offset + 8 + i) != (byte) (number + i)) {
                throw new AssertionError("message " + number + " is torn at byte " + i + " of " + (length - 8));
            }
        }
        return number;
    }

    static List<Long> drain(IpcReader reader, int most) {
        List<Long> numbers = new ArrayList<>();
        reader.poll((memory, offset, length, endOfBatch) -> numbers.add(read(memory, offset, length, most)));
        return numbers;
    }
}
