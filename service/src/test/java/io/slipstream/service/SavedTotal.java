package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;

import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;

/** Adds numbers up and counts them, and saves that among many bytes, so that a snapshot takes its time. */
final class SavedTotal implements StateMachine {
    private static final int FILLING = 1 << 17;

    private long sum;
    private long count;

    @Override
    public void onCommand(Request command, Output output) {
        sum += value(command.payload());
        count++;
        output.reply(payload(count));
    }

    /** Answers with the sum. */
    @Override
    public void onQuery(Request query, Output output) {
        output.reply(payload(sum));
    }

    @Override
    public long stateHash() {
        return sum * 31 + count;
    }

    @Override
    public void save(StateOutput output) {
        output.writeLong(sum);
        output.writeLong(count);
        for (int i = 0; i < FILLING; i++) {
            output.writeLong(sum + i);
        }
    }

    @Override
    public void load(StateInput input, int version) {
        sum = input.readLong();
        count = input.readLong();
        for (int i = 0; i < FILLING; i++) {
            if (input.readLong() != sum + i) {
                throw new IllegalStateException("the filling of a snapshot is another one");
            }
        }
    }
}
