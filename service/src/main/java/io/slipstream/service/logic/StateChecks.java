package io.slipstream.service.logic;

import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.protocol.Message;
import java.lang.foreign.MemorySegment;

/**
 * The hash of the state behind every so many entries, and what the log says that it was.
 *
 * <p>The running service writes the hash into the log some entries later. Whoever replays the log has its own hash by
 * then, and finds out here whether the machine diverged, and between which two entries.
 */
public final class StateChecks {
    private final StateMachine machine;
    private long every;
    private long dueSequence;
    private long dueHash;
    private long provenSequence;

    StateChecks(StateMachine machine) {
        this.machine = machine;
    }

    /** Sets after how many entries the state is checked; 0 for never. */
    void every(long entries) {
        every = entries;
    }

    void onEntry(long sequence) {
        if (every != 0 && sequence % every == 0) {
            dueSequence = sequence;
            dueHash = machine.stateHash();
        }
    }

    /** Returns the sequence of the entry behind which the state was last hashed; 0 for none. */
    public long dueSequence() {
        return dueSequence;
    }

    /** Returns the hash of the state there. */
    public long dueHash() {
        return dueHash;
    }

    /** Returns the sequence of the last entry behind which the state was the one that the log says. */
    public long provenSequence() {
        return provenSequence;
    }

    void onCheck(MemorySegment memory, long offset) {
        long sequence = Message.payloadLong(memory, offset, 0);
        long hash = Message.payloadLong(memory, offset, 8);
        if (sequence != dueSequence) {
            // The state behind that entry was loaded from a snapshot of a later one.
            return;
        }
        if (hash != dueHash) {
            throw new DivergedException(provenSequence, sequence, hash, dueHash);
        }
        provenSequence = sequence;
    }

    void save(StateOutput to) {
        to.writeLong(every);
        to.writeLong(dueSequence);
        to.writeLong(dueHash);
        to.writeLong(provenSequence);
    }

    void load(StateInput from) {
        every = from.readLong();
        dueSequence = from.readLong();
        dueHash = from.readLong();
        provenSequence = from.readLong();
    }
}
