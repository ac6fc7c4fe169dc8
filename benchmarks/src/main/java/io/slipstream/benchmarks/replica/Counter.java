package io.slipstream.benchmarks.replica;

import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;

/** Counts commands. */
final class Counter implements StateMachine {
    private static final byte[] NOTHING = new byte[0];

    private long count;

    @Override
    public void onCommand(Request command, Output output) {
        count++;
        output.reply(NOTHING);
    }

    @Override
    public void onQuery(Request query, Output output) {
        output.reply(NOTHING);
    }

    @Override
    public long stateHash() {
        return count;
    }
}
