package io.slipstream.service.testing;

import io.slipstream.service.logic.Logic;
import io.slipstream.service.machine.StateFormatException;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The bytes of a state in memory, written first and read afterwards. */
final class SavedState {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private ByteBuffer left = ByteBuffer.allocate(0);
    private boolean reading;

    /**
     * Compares what the runtime remembers besides the state of the machine.
     *
     * @throws AssertionError if that is not the same as live
     */
    static void requireSameOwn(Logic live, Logic other, String how) {
        if (!isSameOwn(live, other, true)) {
            throw new AssertionError(how + " led to other sessions, timers or topics than live behind entry "
                    + live.lastSequence() + ": that is a defect of the service, and none of the state machine");
        }
    }

    /** Returns whether the runtime remembers the same; with or without outputs that are kept. */
    static boolean isSameOwn(Logic one, Logic other, boolean withKept) {
        return Arrays.equals(own(one, withKept), own(other, withKept));
    }

    private static byte[] own(Logic logic, boolean withKept) {
        SavedState saved = new SavedState();
        logic.saveOwn(saved.output(), withKept);
        return saved.bytes.toByteArray();
    }

    StateOutput output() {
        return new Output();
    }

    StateInput input() {
        if (!reading) {
            reading = true;
            left = ByteBuffer.wrap(bytes.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
        }
        return new Input();
    }

    private final class Output implements StateOutput {
        @Override
        public void writeByte(int value) {
            bytes.write(value);
        }

        @Override
        public void writeInt(int value) {
            for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
                bytes.write(value >>> shift);
            }
        }

        @Override
        public void writeLong(long value) {
            writeInt((int) value);
            writeInt((int) (value >>> Integer.SIZE));
        }

        @Override
        public void write(MemorySegment memory, long offset, long length) {
            bytes.writeBytes(memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE));
        }
    }

    private final class Input implements StateInput {
        @Override
        public byte readByte() {
            return require(1).get();
        }

        @Override
        public int readInt() {
            return require(Integer.BYTES).getInt();
        }

        @Override
        public long readLong() {
            return require(Long.BYTES).getLong();
        }

        @Override
        public void read(MemorySegment memory, long offset, long length) {
            require(length);
            MemorySegment.copy(MemorySegment.ofBuffer(left), 0, memory, offset, length);
            left.position(left.position() + (int) length);
        }

        @Override
        public long remaining() {
            return left.remaining();
        }

        private ByteBuffer require(long count) {
            if (left.remaining() < count) {
                throw new StateFormatException("at byte " + left.position() + " of the saved state, " + count
                        + " bytes were to be read where " + left.remaining() + " are left; load reads another way than"
                        + " save writes");
            }
            return left;
        }
    }
}
