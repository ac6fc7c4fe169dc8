package io.slipstream.service.typed;

import io.slipstream.data.annotation.MaxLength;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.TreeMap;

/** A typed service for tests: accounts with a balance, which tell their owner when they are empty. */
final class Bank extends TypedMachine {
    static final Contract CONTRACT = Contract.named("bank", MethodHandles.lookup())
            .commands(Deposit.class, Withdraw.class, Remind.class)
            .queries(BalanceOf.class)
            .events(Emptied.class, Reminder.class)
            .build();

    private static final long ALL = 0;

    private final Map<Long, Long> balances = new TreeMap<>();

    record Deposit(long account, long amount) implements Command<Balance> {
        Deposit {
            if (amount <= 0) {
                throw new IllegalArgumentException("an amount is positive, not " + amount);
            }
        }
    }

    record Withdraw(long account, long amount) implements Command<Balance> {}

    record Remind(long atNanos, @MaxLength(40) String text) implements Command<Done> {}

    record BalanceOf(long account) implements Query<Balance> {}

    record Balance(long account, long amount) {}

    record Emptied(long account) implements Event {}

    record Reminder(long timer) implements Event {}

    Bank() {
        super(CONTRACT);
        on(Deposit.class, this::deposit);
        on(Withdraw.class, this::withdraw);
        on(Remind.class, this::remind);
        answer(BalanceOf.class, this::balanceOf);
    }

    private Balance deposit(Deposit deposit, Context context) {
        return change(deposit.account(), deposit.amount());
    }

    private Balance withdraw(Withdraw withdraw, Context context) {
        long left = balances.getOrDefault(withdraw.account(), 0L) - withdraw.amount();
        if (left < 0) {
            return context.reject("account " + withdraw.account() + " lacks " + -left);
        }
        if (left == 0) {
            context.send(context.session(), new Emptied(withdraw.account()));
            context.publish(ALL, new Emptied(withdraw.account()));
        }
        return change(withdraw.account(), -withdraw.amount());
    }

    private Done remind(Remind remind, Context context) {
        context.schedule(context.session(), remind.atNanos());
        return Done.DONE;
    }

    private Balance balanceOf(BalanceOf query, Context context) {
        return new Balance(query.account(), balances.getOrDefault(query.account(), 0L));
    }

    private Balance change(long account, long amount) {
        return new Balance(account, balances.merge(account, amount, Long::sum));
    }

    @Override
    protected void onTimer(long timer, Context context) {
        context.send(timer, new Reminder(timer));
    }

    @Override
    protected void onSubscribe(long topic, Context context) {
        balances.forEach((account, amount) -> {
            if (amount == 0) {
                context.publish(topic, new Emptied(account));
            }
        });
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
