package io.slipstream.cluster;

import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import java.nio.ByteBuffer;

/** Adds up numbers; its hash depends on their order. A number below 0 is a bug. */
class Sum implements StateMachine {
    private long sum;
    private long count;
    private long hash;
    private long timers;

    static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    static long number(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getLong();
    }

    @Override
    public void onCommand(Request command, Output output) {
        long number = number(command.payload());
        if (number < 0) {
            throw new AssertionError("there is nothing below 0");
        }
        sum += number;
        count++;
        hash = hash * 31 + number + output.random().nextInt(1_000);
        if (number == 0) {
            output.schedule(1, output.timeNanos() + 10_000_000);
            output.publish(7, bytes(sum));
        }
        output.reply(bytes(sum));
    }

    @Override
    public void onQuery(Request query, Output output) {
        output.reply(bytes(query.length() == 0 ? sum : timers));
    }

    @Override
    public void onTimer(long timer, Output output) {
        timers++;
        hash = hash * 31 + 17;
    }

    void spoil() {
        hash++;
    }

    @Override
    public String name() {
        return "Sum";
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
        output.writeLong(timers);
    }

    @Override
    public void load(StateInput input, int version) {
        sum = input.readLong();
        count = input.readLong();
        hash = input.readLong();
        timers = input.readLong();
    }
}
