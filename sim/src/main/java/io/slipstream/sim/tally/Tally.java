package io.slipstream.sim.tally;

import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Remembers each command that was applied, in order: eight bytes that tell it from all others, and any more. */
public final class Tally implements StateMachine {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private static final int ANSWER_BYTES = 16;

    private final List<Long> applied = new ArrayList<>();
    private long hash;

    /** Creates one that has seen no command. */
    public Tally() {}

    /** Returns what was applied, in order. */
    public List<Long> applied() {
        return applied;
    }

    /** Returns the hash behind one more command. */
    public static long next(long hash, long id) {
        return 31 * hash + id;
    }

    @Override
    public void onCommand(Request command, Output output) {
        long id = command.memory().get(LONG, command.offset());
        applied.add(id);
        hash = next(hash, id);
        output.reply(new byte[] {(byte) applied.size()});
    }

    @Override
    public void onQuery(Request query, Output output) {
        byte[] reply = new byte[ANSWER_BYTES];
        MemorySegment.ofArray(reply).set(LONG, 0, applied.size());
        MemorySegment.ofArray(reply).set(LONG, Long.BYTES, hash);
        output.reply(reply);
    }

    @Override
    public String name() {
        return "tally";
    }

    @Override
    public long stateHash() {
        return hash;
    }

    @Override
    public void save(StateOutput state) {
        state.writeLong(hash);
        state.writeInt(applied.size());
        applied.forEach(state::writeLong);
    }

    @Override
    public void load(StateInput state, int version) {
        hash = state.readLong();
        for (int i = state.readInt(); i > 0; i--) {
            applied.add(state.readLong());
        }
    }
}
