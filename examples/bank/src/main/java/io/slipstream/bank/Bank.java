package io.slipstream.bank;

import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.typed.Command;
import io.slipstream.service.typed.Context;
import io.slipstream.service.typed.Contract;
import io.slipstream.service.typed.Query;
import io.slipstream.service.typed.TypedClient;
import io.slipstream.service.typed.TypedMachine;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Keeps balances. A deposit that was answered survives kill -9 and power loss, and is made once. */
class Bank extends TypedMachine {
    record Deposit(long account, long amount) implements Command<Balance> {}

    record BalanceOf(long account) implements Query<Balance> {}

    record Balance(long amount) {}

    static final Contract CONTRACT = Contract.named("bank", MethodHandles.lookup())
            .commands(Deposit.class)
            .queries(BalanceOf.class)
            .build();

    private final Map<Long, Long> balances = new HashMap<>();

    Bank() {
        super(CONTRACT);
        on(Deposit.class, this::deposit);
        answer(BalanceOf.class, (query, context) -> new Balance(balances.getOrDefault(query.account(), 0L)));
    }

    private Balance deposit(Deposit deposit, Context context) {
        if (deposit.amount() <= 0) {
            return context.reject("a deposit is more than 0, not " + deposit.amount());
        }
        return new Balance(balances.merge(deposit.account(), deposit.amount(), Long::sum));
    }

    @Override
    public long stateHash() {
        return balances.hashCode();
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments.length == 0 ? "bank-data" : arguments[0]);
        try (Service service = Service.start(ServiceConfig.in(folder), new Bank());
                TypedClient client = TypedClient.connect(CONTRACT, "127.0.0.1", service.port())) {
            Balance balance = client.call(new Deposit(7, 100));
            System.out.println("account 7 has " + balance.amount());
        }
    }
}
