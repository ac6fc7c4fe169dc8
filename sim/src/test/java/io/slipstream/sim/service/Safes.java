package io.slipstream.sim.service;

import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import java.nio.ByteBuffer;
import java.util.TreeMap;

/** Safes with money in them. Who wants something of a safe must know its number, which only a reply tells. */
class Safes implements StateMachine {
    static final byte OPEN = 0;
    static final byte PUT = 1;
    static final byte TAKE = 2;

    private final TreeMap<Long, Long> balances = new TreeMap<>();

    static byte[] command(byte kind, long safe, long amount) {
        return ByteBuffer.allocate(17).put(kind).putLong(safe).putLong(amount).array();
    }

    /** Replies with the number of a new safe, or with what is in it now. */
    @Override
    public void onCommand(Request command, Output output) {
        ByteBuffer payload = ByteBuffer.wrap(command.payload());
        byte kind = payload.get();
        long safe = payload.getLong();
        long amount = payload.getLong();
        if (kind == OPEN) {
            long number = output.random().nextLong();
            balances.put(number, 0L);
            reply(number, output);
            return;
        }
        Long balance = balances.get(safe);
        if (balance == null || kind == TAKE && balance < amount) {
            output.reject(balance == null ? "there is no safe " + safe : "there is only " + balance);
            return;
        }
        long left = kind == PUT ? balance + amount : balance - amount;
        keep(safe, left);
        reply(left, output);
    }

    /** Replies with what is in a safe. */
    @Override
    public void onQuery(Request query, Output output) {
        Long balance = balances.get(ByteBuffer.wrap(query.payload()).getLong(1));
        if (balance == null) {
            output.reject("there is no such safe");
            return;
        }
        reply(shown(balance), output);
    }

    long shown(long balance) {
        return balance;
    }

    void keep(long safe, long balance) {
        balances.put(safe, balance);
    }

    private static void reply(long number, Output output) {
        output.reply(ByteBuffer.allocate(8).putLong(number).array());
    }

    @Override
    public long stateHash() {
        return balances.hashCode();
    }

    @Override
    public void save(StateOutput output) {
        output.writeInt(balances.size());
        balances.forEach((safe, balance) -> {
            output.writeLong(safe);
            output.writeLong(balance);
        });
    }

    @Override
    public void load(StateInput input, int version) {
        for (int i = input.readInt(); i > 0; i--) {
            balances.put(input.readLong(), input.readLong());
        }
    }

    @Override
    public String name() {
        return "safes";
    }
}
