package io.slipstream.ledger;

import io.slipstream.ledger.Statement.State;
import io.slipstream.service.machine.StateFormatException;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** All transfers, in columns of blocks, so that a ledger that grows copies nothing but its index. */
final class Transfers {
    private static final int BLOCK = 1 << 14;
    private static final State[] STATES = State.values();

    private final LongMap byId = new LongMap();
    private Block[] blocks = new Block[16];
    private int count;
    private long hash;

    private static final class Block {
        final long[] ids = new long[BLOCK];
        final long[] amounts = new long[BLOCK];
        final int[] debits = new int[BLOCK];
        final int[] credits = new int[BLOCK];
        final int[] olderOfDebit = new int[BLOCK];
        final int[] olderOfCredit = new int[BLOCK];
        final byte[] states = new byte[BLOCK];
    }

    /** Returns the row of a transfer, or {@link LongMap#MISSING}. */
    int row(long id) {
        return byId.get(id);
    }

    /** Adds a transfer as the newest of both accounts, given by their rows. */
    void add(long id, int debit, int credit, long amount, State state, Accounts accounts) {
        int row = count++;
        if (row / BLOCK == blocks.length) {
            blocks = Arrays.copyOf(blocks, 2 * blocks.length);
        }
        if (row % BLOCK == 0) {
            blocks[row / BLOCK] = new Block();
        }
        Block block = blocks[row / BLOCK];
        int at = row % BLOCK;
        block.ids[at] = id;
        block.amounts[at] = amount;
        block.debits[at] = debit;
        block.credits[at] = credit;
        block.olderOfDebit[at] = accounts.newest(debit);
        block.olderOfCredit[at] = accounts.newest(credit);
        block.states[at] = (byte) state.ordinal();
        accounts.newest(debit, row);
        accounts.newest(credit, row);
        byId.put(id, row);
        hash += hash(block, at);
    }

    /** Uses up an id for a step that is no transfer of its own. */
    void use(long id, int row) {
        byId.put(id, row);
        hash += Hash.mix(id);
    }

    void state(int row, State state) {
        Block block = blocks[row / BLOCK];
        hash -= hash(block, row % BLOCK);
        block.states[row % BLOCK] = (byte) state.ordinal();
        hash += hash(block, row % BLOCK);
    }

    State state(int row) {
        return STATES[blocks[row / BLOCK].states[row % BLOCK]];
    }

    long id(int row) {
        return blocks[row / BLOCK].ids[row % BLOCK];
    }

    long amount(int row) {
        return blocks[row / BLOCK].amounts[row % BLOCK];
    }

    int debit(int row) {
        return blocks[row / BLOCK].debits[row % BLOCK];
    }

    int credit(int row) {
        return blocks[row / BLOCK].credits[row % BLOCK];
    }

    /** Returns the newest transfers of an account. */
    List<Statement.Entry> of(int account, Accounts accounts, int limit) {
        List<Statement.Entry> entries = new ArrayList<>();
        for (int row = accounts.newest(account); row != LongMap.MISSING && entries.size() < limit; ) {
            entries.add(new Statement.Entry(
                    id(row), accounts.id(debit(row)), accounts.id(credit(row)), amount(row), state(row)));
            Block block = blocks[row / BLOCK];
            row = debit(row) == account ? block.olderOfDebit[row % BLOCK] : block.olderOfCredit[row % BLOCK];
        }
        return entries;
    }

    /** Does all of them once more, to accounts of the same rows. */
    void addTo(Accounts sums) {
        for (int row = 0; row < count; row++) {
            if (state(row) == State.POSTED) {
                sums.pay(debit(row), credit(row), amount(row));
            } else if (state(row) == State.PENDING) {
                sums.setAside(debit(row), credit(row), amount(row));
            }
        }
    }

    long hash() {
        return hash;
    }

    void save(StateOutput output) {
        output.writeInt(count);
        for (int row = 0; row < count; row++) {
            output.writeLong(id(row));
            output.writeInt(debit(row));
            output.writeInt(credit(row));
            output.writeLong(amount(row));
            output.writeByte(state(row).ordinal());
        }
        byId.saveOthers(output, this::id);
    }

    /** Loads into transfers that are new, and whose accounts are loaded. */
    void load(StateInput input, Accounts accounts) {
        for (int left = input.readInt(); left > 0; left--) {
            long id = input.readLong();
            int debit = input.readInt();
            int credit = input.readInt();
            long amount = input.readLong();
            int state = input.readByte();
            if (state < 0 || state >= STATES.length) {
                throw new StateFormatException("a transfer has no state " + state);
            }
            add(id, debit, credit, amount, STATES[state], accounts);
        }
        for (int left = input.readInt(); left > 0; left--) {
            use(input.readLong(), input.readInt());
        }
    }

    private static long hash(Block block, int at) {
        return Hash.mix(block.ids[at], block.amounts[at], block.debits[at] * 31L + block.credits[at], block.states[at]);
    }
}
