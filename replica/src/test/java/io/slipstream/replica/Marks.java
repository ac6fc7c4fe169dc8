package io.slipstream.replica;

import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import java.util.Map;
import java.util.TreeMap;

/** Counts how often it was given each number, so that a command that was lost or applied twice is seen. */
final class Marks implements StateMachine {
    private final Map<Long, Long> counts = new TreeMap<>();

    @Override
    public void onCommand(Request command, Output output) {
        output.reply(Sum.bytes(counts.merge(Sum.number(command.payload()), 1L, Long::sum)));
    }

    @Override
    public void onQuery(Request query, Output output) {
        output.reply(Sum.bytes(counts.getOrDefault(Sum.number(query.payload()), 0L)));
    }

    @Override
    public long stateHash() {
        return counts.hashCode();
    }

    @Override
    public void save(StateOutput output) {
        output.writeLong(counts.size());
        counts.forEach((number, count) -> {
            output.writeLong(number);
            output.writeLong(count);
        });
    }

    @Override
    public void load(StateInput input, int version) {
        for (long left = input.readLong(); left > 0; left--) {
            counts.put(input.readLong(), input.readLong());
        }
    }
}
