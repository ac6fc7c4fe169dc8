package io.slipstream.service;

import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;

/** A state machine for tests with a timer that is set anew whenever it fires. */
final class TickingMachine implements StateMachine {
    private static final long TIMER = 1;
    private static final long INTERVAL_NANOS = 1_000_000;

    volatile long fired;

    @Override
    public void onCommand(Request command, Output output) {
        if (fired == 0) {
            fired = 1;
            output.schedule(TIMER, output.timeNanos() + INTERVAL_NANOS);
        }
    }

    @Override
    public void onTimer(long timer, Output output) {
        fired++;
        output.schedule(TIMER, output.timeNanos() + INTERVAL_NANOS);
    }

    @Override
    public long stateHash() {
        return fired;
    }
}
