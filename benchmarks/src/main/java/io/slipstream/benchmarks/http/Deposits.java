package io.slipstream.benchmarks.http;

import io.slipstream.service.typed.Command;
import io.slipstream.service.typed.Contract;
import io.slipstream.service.typed.TypedMachine;
import java.lang.invoke.MethodHandles;
import java.util.HashMap;
import java.util.Map;

/** A service with one small command. */
final class Deposits extends TypedMachine {
    static final Contract CONTRACT = Contract.named("deposits", MethodHandles.lookup())
            .commands(Deposit.class)
            .build();

    private final Map<Long, Long> balances = new HashMap<>();

    record Deposit(long account, long amount) implements Command<Balance> {}

    record Balance(long account, long amount) {}

    Deposits() {
        super(CONTRACT);
        on(
                Deposit.class,
                (deposit, _) ->
                        new Balance(deposit.account(), balances.merge(deposit.account(), deposit.amount(), Long::sum)));
    }

    @Override
    public long stateHash() {
        return balances.hashCode();
    }
}
