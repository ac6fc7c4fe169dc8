package io.slipstream.service;

import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;

/** Answers each command with what is in it, and has no state. */
public final class EchoMachine implements StateMachine {
    /** Creates one. */
    public EchoMachine() {}

    @Override
    public void onCommand(Request command, Output output) {
        output.reply(command.memory(), command.offset(), command.length());
    }

    @Override
    public long stateHash() {
        return 0;
    }
}
