package io.slipstream.http;

import io.slipstream.data.annotation.MaxLength;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.typed.Command;
import io.slipstream.service.typed.Context;
import io.slipstream.service.typed.Contract;
import io.slipstream.service.typed.Event;
import io.slipstream.service.typed.Query;
import io.slipstream.service.typed.TypedMachine;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;

/** A typed service for tests: accounts with a balance, whose changes are published to the topic of their number. */
final class Bank extends TypedMachine {
    static final Contract CONTRACT = Contract.named("bank", MethodHandles.lookup())
            .commands(Deposit.class, Withdraw.class, Break.class, Close.class)
            .queries(BalanceOf.class)
            .events(Changed.class)
            .build();

    private final Map<Long, Long> balances = new TreeMap<>();
    private final CountDownLatch gate;

    record Deposit(long account, long amount, @MaxLength(20) String note) implements Command<Balance> {
        Deposit {
            if (amount <= 0) {
                throw new IllegalArgumentException("an amount is positive, not " + amount);
            }
        }
    }

    record Withdraw(long account, long amount) implements Command<Balance> {}

    record Break(int dummy) implements Command<Balance> {}

    record Close(long account) implements Command<Closed> {}

    record Closed(String note) {}

    record BalanceOf(long account) implements Query<Balance> {}

    record Balance(long account, long amount) {}

    record Changed(long account, long amount) implements Event {}

    Bank() {
        this(new CountDownLatch(0));
    }

    /** Creates a bank that does nothing before the gate is open. */
    Bank(CountDownLatch gate) {
        super(CONTRACT);
        this.gate = gate;
        on(Deposit.class, this::deposit);
        on(Withdraw.class, this::withdraw);
        on(Break.class, (_, _) -> {
            throw new IllegalStateException("broken on purpose");
        });
        on(Close.class, this::close);
        answer(BalanceOf.class, (query, _) -> balance(query.account()));
    }

    private Balance deposit(Deposit deposit, Context context) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        balances.merge(deposit.account(), deposit.amount(), Long::sum);
        Balance balance = balance(deposit.account());
        context.publish(deposit.account(), new Changed(balance.account(), balance.amount()));
        return balance;
    }

    private Balance withdraw(Withdraw withdraw, Context context) {
        long left = balance(withdraw.account()).amount() - withdraw.amount();
        if (left < 0) {
            return context.reject("account " + withdraw.account() + " lacks " + -left);
        }
        balances.put(withdraw.account(), left);
        return balance(withdraw.account());
    }

    private Closed close(Close close, Context context) {
        balances.remove(close.account());
        return new Closed("closed");
    }

    private Balance balance(long account) {
        return new Balance(account, balances.getOrDefault(account, 0L));
    }

    @Override
    public long stateHash() {
        return balances.hashCode();
    }

    @Override
    public void save(StateOutput output) {
        output.writeInt(balances.size());
        balances.forEach((account, amount) -> {
            output.writeLong(account);
            output.writeLong(amount);
        });
    }

    @Override
    public void load(StateInput input, int version) {
        balances.clear();
        for (int left = input.readInt(); left > 0; left--) {
            balances.put(input.readLong(), input.readLong());
        }
    }
}
