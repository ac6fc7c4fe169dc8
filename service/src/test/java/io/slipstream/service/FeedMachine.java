package io.slipstream.service;

import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A state machine for tests that publishes each number that it gets to {@link #TOPIC}, and to subscribers how many
 * there were and what they sum up to.
 */
final class FeedMachine implements StateMachine {
    static final long TOPIC = 7;
    static final long FORBIDDEN = 13;

    private final MemorySegment scratch = MemorySegment.ofArray(new long[2]);
    private long count;
    private long sum;

    @Override
    public void onCommand(Request command, Output output) {
        long value = command.memory().get(ValueLayout.JAVA_LONG_UNALIGNED, command.offset());
        count++;
        sum += value;
        scratch.set(ValueLayout.JAVA_LONG, 0, value);
        output.publish(TOPIC, scratch, 0, 8);
        output.reply(scratch, 0, 8);
    }

    @Override
    public void onSubscribe(long topic, Request command, Output output) {
        if (topic == FORBIDDEN) {
            throw new IllegalArgumentException("nobody may read this");
        }
        if (topic == TOPIC) {
            scratch.set(ValueLayout.JAVA_LONG, 0, count);
            scratch.set(ValueLayout.JAVA_LONG, 8, sum);
            output.publish(TOPIC, scratch, 0, 16);
        }
    }

    @Override
    public long stateHash() {
        return 31 * count + sum;
    }
}
