package io.slipstream.ledger;

import io.slipstream.ledger.Statement.State;
import io.slipstream.ledger.Submitted.Failure;
import io.slipstream.ledger.Submitted.Reason;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.typed.Context;
import io.slipstream.service.typed.Contract;
import io.slipstream.service.typed.TypedMachine;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ledger: accounts, and the transfers between them. */
public final class Ledger extends TypedMachine {
    /** What it understands and sends. */
    public static final Contract CONTRACT = Contract.named("ledger", MethodHandles.lookup())
            .commands(OpenAccount.class, Submit.class)
            .queries(AccountOf.class, TransfersOf.class)
            .events(Expired.class)
            .build();

    /** From this version on, an amount is not set aside for less than no time; before, that was for ever. */
    private static final int CHECKS_SECONDS = 1;

    private static final int CHECKS_SECONDS_OF_EACH_STEP = 2;

    private static final Submitted ALL_DONE = new Submitted(List.of());

    private Accounts accounts = new Accounts();
    private Transfers transfers = new Transfers();

    /** Creates a ledger without accounts. */
    public Ledger() {
        super(CONTRACT);
        on(OpenAccount.class, this::open);
        on(Submit.class, this::submit);
        answer(AccountOf.class, this::account);
        answer(TransfersOf.class, this::statement);
    }

    private Account open(OpenAccount command, Context context) {
        if (accounts.row(command.account()) != LongMap.MISSING) {
            return context.reject("there is an account " + command.account());
        }
        return accounts.account(accounts.open(command.account(), command.mayOverdraw()));
    }

    private Submitted submit(Submit command, Context context) {
        List<Failure> failures = null;
        List<Transfer> all = command.transfers();
        for (int i = 0; i < all.size(); i++) {
            Reason reason = apply(all.get(i), context);
            if (reason != null) {
                failures = failures == null ? new ArrayList<>() : failures;
                failures.add(new Failure(i, reason));
            }
        }
        return failures == null ? ALL_DONE : new Submitted(failures);
    }

    private Account account(AccountOf query, Context context) {
        int row = accounts.row(query.account());
        return row == LongMap.MISSING
                ? context.reject("there is no account " + query.account())
                : accounts.account(row);
    }

    private Statement statement(TransfersOf query, Context context) {
        int row = accounts.row(query.account());
        if (row == LongMap.MISSING) {
            return context.reject("there is no account " + query.account());
        }
        return new Statement(transfers.of(row, accounts, Math.min(query.limit(), TransfersOf.MAX)));
    }

    /** Does a transfer; returns why not, or null. */
    private @Nullable Reason apply(Transfer transfer, Context context) {
        if (transfers.row(transfer.id()) != LongMap.MISSING) {
            return Reason.EXISTS;
        }
        return switch (transfer.step()) {
            case PAY, PENDING -> begin(transfer, context);
            case POST, VOID -> end(transfer, context);
        };
    }

    private @Nullable Reason begin(Transfer transfer, Context context) {
        int debit = accounts.row(transfer.debit());
        int credit = accounts.row(transfer.credit());
        Reason reason = whyNot(debit, credit, transfer.amount());
        if (reason == null && isRefusedTime(transfer, context)) {
            reason = Reason.BAD_SECONDS;
        }
        if (reason != null) {
            return reason;
        }
        if (transfer.step() == Transfer.Step.PAY) {
            accounts.pay(debit, credit, transfer.amount());
            transfers.add(transfer.id(), debit, credit, transfer.amount(), State.POSTED, accounts);
        } else {
            accounts.setAside(debit, credit, transfer.amount());
            transfers.add(transfer.id(), debit, credit, transfer.amount(), State.PENDING, accounts);
            if (transfer.seconds() > 0) {
                context.schedule(transfer.id(), context.timeNanos() + transfer.seconds() * 1_000_000_000L);
            }
        }
        return null;
    }

    private static boolean isRefusedTime(Transfer transfer, Context context) {
        int since = transfer.step() == Transfer.Step.PENDING ? CHECKS_SECONDS : CHECKS_SECONDS_OF_EACH_STEP;
        return transfer.seconds() < 0 && context.version() >= since;
    }

    private @Nullable Reason whyNot(int debit, int credit, long amount) {
        return debit == LongMap.MISSING
                ? Reason.NO_DEBIT_ACCOUNT
                : credit == LongMap.MISSING
                        ? Reason.NO_CREDIT_ACCOUNT
                        : debit == credit
                                ? Reason.SAME_ACCOUNT
                                : amount <= 0
                                        ? Reason.BAD_AMOUNT
                                        : !accounts.hasRoom(debit, credit, amount)
                                                ? Reason.OVERFLOW
                                                : !accounts.canPay(debit, amount) ? Reason.OVERDRAWN : null;
    }

    private @Nullable Reason end(Transfer transfer, Context context) {
        int row = transfers.row(transfer.pending());
        if (row == LongMap.MISSING
                || transfers.id(row) != transfer.pending()
                || transfers.state(row) != State.PENDING) {
            return Reason.NOT_PENDING;
        }
        if (isRefusedTime(transfer, context)) {
            return Reason.BAD_SECONDS;
        }
        boolean isPosted = transfer.step() == Transfer.Step.POST;
        settle(row, isPosted ? State.POSTED : State.VOIDED);
        transfers.use(transfer.id(), row);
        context.cancel(transfer.pending());
        return null;
    }

    private void settle(int row, State state) {
        int debit = transfers.debit(row);
        int credit = transfers.credit(row);
        accounts.giveBack(debit, credit, transfers.amount(row));
        if (state == State.POSTED) {
            accounts.pay(debit, credit, transfers.amount(row));
        }
        transfers.state(row, state);
    }

    /** A pending transfer expires: the timer has its id. */
    @Override
    protected void onTimer(long timer, Context context) {
        int row = transfers.row(timer);
        settle(row, State.EXPIRED);
        context.publish(accounts.id(transfers.debit(row)), new Expired(timer));
        context.publish(accounts.id(transfers.credit(row)), new Expired(timer));
    }

    /**
     * Requires that money is conserved: each account holds what its transfers say, so that all debits together are all
     * credits, and no account has paid what it did not have.
     *
     * @throws IllegalStateException if it is not
     */
    public void requireBalance() {
        accounts.requireSumsOf(transfers);
    }

    /** Version 1 refuses to set an amount aside for a negative time, version 2 a negative time in any step. */
    @Override
    public int version() {
        return CHECKS_SECONDS_OF_EACH_STEP;
    }

    @Override
    public long stateHash() {
        return accounts.hash() * 31 + transfers.hash();
    }

    @Override
    public void save(StateOutput output) {
        accounts.save(output);
        transfers.save(output);
    }

    @Override
    public void load(StateInput input, int version) {
        accounts = new Accounts();
        accounts.load(input);
        transfers = new Transfers();
        transfers.load(input, accounts);
    }
}
