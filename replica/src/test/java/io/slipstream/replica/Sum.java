package io.slipstream.replica;

import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import java.nio.ByteBuffer;

/** Adds up numbers; its hash depends on their order. */
final class Sum implements StateMachine {
    private long sum;
    private long count;
    private long hash;

    static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    static long number(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getLong();
    }

    @Override
    public void onCommand(Request command, Output output) {
        long number = number(command.payload());
        sum += number;
        count++;
        hash = hash * 31 + number;
        output.reply(bytes(sum));
    }

    @Override
    public void onQuery(Request query, Output output) {
        output.reply(bytes(query.length() == 0 ? sum : count));
    }

    @Override
    public long stateHash() {
        return hash;
    }

    @Override
    public void save(StateOutput output) {
        output.writeLong(sum);
        output.writeLong(count);
        output.writeLong(hash);
    }

    @Override
    public void load(StateInput input, int version) {
        sum = input.readLong();
        count = input.readLong();
        hash = input.readLong();
    }
}
