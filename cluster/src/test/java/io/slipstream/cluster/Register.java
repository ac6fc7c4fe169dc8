package io.slipstream.cluster;

import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;

/** One number, which commands write and queries read. */
final class Register implements StateMachine {
    private volatile long value;

    /** Reads past the log, as a follower that answers by itself would. */
    long staleValue() {
        return value;
    }

    @Override
    public void onCommand(Request command, Output output) {
        value = Sum.number(command.payload());
    }

    @Override
    public void onQuery(Request query, Output output) {
        output.reply(Sum.bytes(value));
    }

    @Override
    public long stateHash() {
        return value;
    }

    @Override
    public void save(StateOutput output) {
        output.writeLong(value);
    }

    @Override
    public void load(StateInput input, int version) {
        value = input.readLong();
    }
}
