package io.slipstream.sim.cluster;

import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Remembers each command, and all that a machine is told beside it: its hash has time, chance, timers and sessions, so
 * that whatever differs between two members shows.
 */
final class Diary implements StateMachine {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final int TIMERS_OF = 3;
    private static final long LONGEST_TIMER_NANOS = 1_500_000_000;

    private final int version;
    private final List<Long> applied = new ArrayList<>();
    private long hash;
    private long timers;
    private long lastNanos;
    private boolean wentBack;

    Diary(int version) {
        this.version = version;
    }

    /** Returns what was applied, in order. */
    List<Long> applied() {
        return applied;
    }

    /** Returns how many timers are set. */
    long timers() {
        return timers;
    }

    /** Returns whether the time of the log ever went back. */
    boolean wentBack() {
        return wentBack;
    }

    private void note(long what, Output output) {
        wentBack |= output.timeNanos() < lastNanos;
        lastNanos = output.timeNanos();
        // Each version leads to other states.
        hash = 31 * (31 * hash + what) + output.timeNanos() + output.version();
    }

    @Override
    public void onCommand(Request command, Output output) {
        long id = command.memory().get(LONG, command.offset());
        applied.add(id);
        note(id, output);
        note(output.random().nextLong(), output);
        if (id % TIMERS_OF == 0) {
            timers++;
            output.schedule(id, output.timeNanos() + output.random().nextLong(LONGEST_TIMER_NANOS));
        }
        output.reply(new byte[] {(byte) applied.size()});
    }

    @Override
    public void onTimer(long timer, Output output) {
        timers--;
        note(-timer, output);
    }

    @Override
    public void onQuery(Request query, Output output) {
        byte[] reply = new byte[Long.BYTES];
        MemorySegment.ofArray(reply).set(LONG, 0, applied.size());
        output.reply(reply);
    }

    @Override
    public void onSessionOpen(long session, String principal, Output output) {
        note(session, output);
    }

    @Override
    public void onSessionClose(long session, Output output) {
        note(~session, output);
    }

    @Override
    public void onUpgrade(int formerVersion, Output output) {
        note(formerVersion, output);
    }

    @Override
    public String name() {
        return "diary";
    }

    @Override
    public int version() {
        return version;
    }

    @Override
    public long stateHash() {
        return hash;
    }

    @Override
    public void save(StateOutput state) {
        state.writeLong(hash);
        state.writeLong(timers);
        state.writeLong(lastNanos);
        state.writeInt(applied.size());
        applied.forEach(state::writeLong);
    }

    @Override
    public void load(StateInput state, int ofVersion) {
        hash = state.readLong();
        timers = state.readLong();
        lastNanos = state.readLong();
        for (int i = state.readInt(); i > 0; i--) {
            applied.add(state.readLong());
        }
    }
}
