package io.slipstream.benchmarks.service;

import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Adds up the first eight bytes of each command, and answers with how many there were. */
final class Counting implements StateMachine {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final MemorySegment answer = MemorySegment.ofArray(new long[1]);
    private long count;
    private long sum;

    @Override
    public void onCommand(Request command, Output output) {
        sum += command.memory().get(LONG, command.offset());
        answer.set(LONG, 0, ++count);
        output.reply(answer, 0, Long.BYTES);
    }

    @Override
    public void save(StateOutput output) {
        output.writeLong(count);
        output.writeLong(sum);
    }

    @Override
    public void load(StateInput input, int version) {
        count = input.readLong();
        sum = input.readLong();
    }

    @Override
    public long stateHash() {
        return 31 * count + sum;
    }
}
