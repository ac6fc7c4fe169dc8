package io.slipstream.benchmarks.service;

import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A state of so many bytes, of which each command changes eight. */
final class Large implements StateMachine {
    private static final int CHUNK_BYTES = 1 << 20;

    private final MemorySegment state;
    private long count;

    Large(long bytes) {
        this(memory(bytes));
    }

    /** In memory that is there already: to make it is not what is measured. */
    Large(MemorySegment state) {
        this.state = state;
    }

    static MemorySegment memory(long bytes) {
        return Arena.ofAuto().allocate(bytes, Long.BYTES);
    }

    @Override
    public void onCommand(Request command, Output output) {
        long value = command.memory().get(ValueLayout.JAVA_LONG_UNALIGNED, command.offset());
        long words = state.byteSize() / Long.BYTES;
        state.setAtIndex(ValueLayout.JAVA_LONG, ((count * 0x9E37_79B9_7F4A_7C15L) >>> 1) % words, value + ++count);
    }

    @Override
    public void save(StateOutput output) {
        output.writeLong(count);
        for (long at = 0; at < state.byteSize(); at += CHUNK_BYTES) {
            output.write(state, at, Math.min(CHUNK_BYTES, state.byteSize() - at));
        }
    }

    @Override
    public void load(StateInput input, int version) {
        count = input.readLong();
        for (long at = 0; at < state.byteSize(); at += CHUNK_BYTES) {
            input.read(state, at, Math.min(CHUNK_BYTES, state.byteSize() - at));
        }
    }

    /** A part of it stands for all: the hash must not be what is measured. */
    @Override
    public long stateHash() {
        long hash = count;
        for (long at = 0; at < state.byteSize(); at += CHUNK_BYTES) {
            hash = 31 * hash + state.get(ValueLayout.JAVA_LONG, at);
        }
        return hash;
    }
}
