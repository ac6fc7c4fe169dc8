package io.slipstream.ledger;

import io.slipstream.service.machine.CommandSchema;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;

/** The ledger of version 0, which set an amount aside for ever if the seconds were negative. */
final class LedgerBeforeSeconds implements StateMachine, CommandSchema {
    private final Ledger ledger = new Ledger();

    @Override
    public int version() {
        return 0;
    }

    @Override
    public String name() {
        return ledger.name();
    }

    @Override
    public String commandSchema() {
        return ledger.commandSchema();
    }

    @Override
    public void onCommand(Request command, Output output) {
        ledger.onCommand(command, output);
    }

    @Override
    public void onQuery(Request query, Output output) {
        ledger.onQuery(query, output);
    }

    @Override
    public void onTimer(long timer, Output output) {
        ledger.onTimer(timer, output);
    }

    @Override
    public long stateHash() {
        return ledger.stateHash();
    }

    @Override
    public void save(StateOutput output) {
        ledger.save(output);
    }

    @Override
    public void load(StateInput input, int version) {
        ledger.load(input, version);
    }
}
