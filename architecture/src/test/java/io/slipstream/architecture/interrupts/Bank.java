package io.slipstream.architecture.interrupts;

import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.typed.Command;
import io.slipstream.service.typed.Contract;
import io.slipstream.service.typed.Event;
import io.slipstream.service.typed.Query;
import io.slipstream.service.typed.TypedMachine;
import java.lang.invoke.MethodHandles;

/** The least state machine whose clients can do everything. */
final class Bank extends TypedMachine {
    record Deposit(long account, long amount) implements Command<Balance> {}

    record BalanceOf(long account) implements Query<Balance> {}

    record Paid(long account) implements Event {}

    record Balance(long amount) {}

    static final Contract CONTRACT = Contract.named("bank", MethodHandles.lookup())
            .commands(Deposit.class)
            .queries(BalanceOf.class)
            .events(Paid.class)
            .build();

    private long balance;

    Bank() {
        super(CONTRACT);
        on(Deposit.class, (deposit, context) -> new Balance(balance += deposit.amount()));
        answer(BalanceOf.class, (query, context) -> new Balance(balance));
    }

    @Override
    public long stateHash() {
        return balance;
    }

    @Override
    public void save(StateOutput output) {
        output.writeLong(balance);
    }

    @Override
    public void load(StateInput input, int version) {
        balance = input.readLong();
    }
}
