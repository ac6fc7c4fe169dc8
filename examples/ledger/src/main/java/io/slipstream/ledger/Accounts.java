package io.slipstream.ledger;

import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.util.Arrays;

/** All accounts, in columns. */
final class Accounts {
    private final LongMap byId = new LongMap();
    private int count;
    private long[] ids = new long[16];
    private long[] debits = new long[16];
    private long[] credits = new long[16];
    private long[] pendingDebits = new long[16];
    private long[] pendingCredits = new long[16];
    private boolean[] mayOverdraw = new boolean[16];
    private int[] newest = new int[16];
    private long hash;

    /** Returns the row of an account, or {@link LongMap#MISSING}. */
    int row(long account) {
        return byId.get(account);
    }

    int open(long account, boolean overdraw) {
        if (count == ids.length) {
            grow();
        }
        int row = count++;
        ids[row] = account;
        mayOverdraw[row] = overdraw;
        newest[row] = LongMap.MISSING;
        byId.put(account, row);
        hash += hash(row);
        return row;
    }

    Account account(int row) {
        return new Account(ids[row], debits[row], credits[row], pendingDebits[row], pendingCredits[row]);
    }

    long id(int row) {
        return ids[row];
    }

    boolean canPay(int row, long amount) {
        return mayOverdraw[row] || credits[row] - debits[row] - pendingDebits[row] >= amount;
    }

    /** Returns whether a debit or a credit more keeps totals within 63 bits. */
    boolean hasRoom(int debit, int credit, long amount) {
        return debits[debit] + pendingDebits[debit] <= Long.MAX_VALUE - amount
                && credits[credit] + pendingCredits[credit] <= Long.MAX_VALUE - amount;
    }

    void pay(int debit, int credit, long amount) {
        change(debit, amount, 0, 0, 0);
        change(credit, 0, amount, 0, 0);
    }

    void setAside(int debit, int credit, long amount) {
        change(debit, 0, 0, amount, 0);
        change(credit, 0, 0, 0, amount);
    }

    void giveBack(int debit, int credit, long amount) {
        setAside(debit, credit, -amount);
    }

    /** Returns the row of the newest transfer of an account. */
    int newest(int row) {
        return newest[row];
    }

    void newest(int row, int transfer) {
        newest[row] = transfer;
    }

    /** Requires that each account holds what its transfers sum up to, and pays no more than it may. */
    void requireSumsOf(Transfers transfers) {
        Accounts sums = new Accounts();
        for (int row = 0; row < count; row++) {
            sums.open(ids[row], mayOverdraw[row]);
        }
        transfers.addTo(sums);
        for (int row = 0; row < count; row++) {
            if (!account(row).equals(sums.account(row))) {
                throw new IllegalStateException(
                        account(row) + " is not what its transfers sum up to: " + sums.account(row));
            }
            if (!canPay(row, 0)) {
                throw new IllegalStateException(account(row) + " has paid more than it had");
            }
        }
    }

    long hash() {
        return hash;
    }

    void save(StateOutput output) {
        output.writeInt(count);
        for (int row = 0; row < count; row++) {
            output.writeLong(ids[row]);
            output.writeBoolean(mayOverdraw[row]);
            output.writeLong(debits[row]);
            output.writeLong(credits[row]);
            output.writeLong(pendingDebits[row]);
            output.writeLong(pendingCredits[row]);
        }
    }

    /** Loads into accounts that are new. */
    void load(StateInput input) {
        for (int left = input.readInt(); left > 0; left--) {
            int row = open(input.readLong(), input.readBoolean());
            change(row, input.readLong(), input.readLong(), input.readLong(), input.readLong());
        }
    }

    private void change(int row, long debit, long credit, long pendingDebit, long pendingCredit) {
        hash -= hash(row);
        debits[row] += debit;
        credits[row] += credit;
        pendingDebits[row] += pendingDebit;
        pendingCredits[row] += pendingCredit;
        hash += hash(row);
    }

    private long hash(int row) {
        return Hash.mix(
                ids[row] + (mayOverdraw[row] ? 1 : 0),
                debits[row],
                credits[row],
                Hash.mix(pendingDebits[row]) + pendingCredits[row]);
    }

    private void grow() {
        int size = 2 * ids.length;
        ids = Arrays.copyOf(ids, size);
        debits = Arrays.copyOf(debits, size);
        credits = Arrays.copyOf(credits, size);
        pendingDebits = Arrays.copyOf(pendingDebits, size);
        pendingCredits = Arrays.copyOf(pendingCredits, size);
        mayOverdraw = Arrays.copyOf(mayOverdraw, size);
        newest = Arrays.copyOf(newest, size);
    }
}
