package io.slipstream.cli.exchange;

import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;

/**
 * A state machine that takes its time over each command, as one does that checks risks or prices options. It shows what
 * a service does when there is more to do than can be done, on a machine whose clients could not offer that much to a
 * matching engine alone.
 */
final class CostlyMachine implements StateMachine {
    private final StateMachine machine;
    private final long costNanos;

    CostlyMachine(StateMachine machine, long costNanos) {
        this.machine = machine;
        this.costNanos = costNanos;
    }

    @Override
    public void onCommand(Request command, Output output) {
        long start = System.nanoTime();
        machine.onCommand(command, output);
        while (System.nanoTime() - start < costNanos) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void onQuery(Request query, Output output) {
        machine.onQuery(query, output);
    }

    @Override
    public void onSessionOpen(long session, String principal, Output output) {
        machine.onSessionOpen(session, principal, output);
    }

    @Override
    public void onSessionClose(long session, Output output) {
        machine.onSessionClose(session, output);
    }

    @Override
    public String name() {
        return machine.name();
    }

    @Override
    public int version() {
        return machine.version();
    }

    @Override
    public void save(StateOutput output) {
        machine.save(output);
    }

    @Override
    public void load(StateInput input, int version) {
        machine.load(input, version);
    }

    @Override
    public long stateHash() {
        return machine.stateHash();
    }
}
