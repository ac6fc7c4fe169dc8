package io.slipstream.service.logic;

import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.protocol.Message;
import java.lang.foreign.MemorySegment;

/**
 * The hash of the state behind every so many entries and bytes of log, and what the log says that it was.
 *
 * <p>The running service writes the hash into the log some entries later, and once more as the last entry when it is
 * closed. Whoever replays the log has its own hash by then, and finds out here whether the machine diverged, and
 * between which two entries.
 *
 * <p>An entry that is skipped may have changed the state when the log was written. What the log says from there on was
 * perhaps written before the skip, so a difference counts only after the two have agreed again.
 */
public final class StateChecks {
    /** A check is due when the log has grown by so many bytes since the last one. */
    static final long EVERY_BYTES = 1 << 24;

    private final StateMachine machine;
    private long every;
    private boolean byBytes;
    private long bytes;
    private boolean skipped;
    private long dueSequence;
    private long dueHash;
    private long provenSequence;
    private long compared;

    StateChecks(StateMachine machine) {
        this.machine = machine;
    }

    /**
     * Sets when the state is checked.
     *
     * @param entries after how many of them; 0 for never
     * @param alsoByBytes whether also after so many bytes
     */
    void every(long entries, boolean alsoByBytes) {
        every = entries;
        byBytes = alsoByBytes;
    }

    /** Returns whether the state is checked at all. */
    public boolean isOn() {
        return every != 0;
    }

    /** Takes the hash, if it is due behind this entry of so many bytes. */
    void onEntry(long sequence, int length) {
        if (every == 0) {
            return;
        }
        bytes += length;
        if (sequence % every == 0 || (byBytes && bytes >= EVERY_BYTES)) {
            bytes = 0;
            dueSequence = sequence;
            dueHash = machine.stateHash();
        }
    }

    /** Notes that an entry was skipped. */
    void onSkip() {
        skipped = true;
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

    /** Returns how often the log has said what the state was, and it was that. */
    public long compared() {
        return compared;
    }

    /** Compares, if there is a hash to compare with; before the entry has changed anything. */
    void onCheck(MemorySegment memory, long offset) {
        long sequence = Message.payloadLong(memory, offset, 0);
        long hash = Message.payloadLong(memory, offset, 8);
        if (sequence == dueSequence) {
            compare(sequence, hash, dueHash);
        } else if (sequence == Message.sequence(memory, offset) - 1) {
            compare(sequence, hash, machine.stateHash());
        }
        // Otherwise the state behind that entry was loaded from a snapshot of a later one.
    }

    private void compare(long sequence, long logged, long replayed) {
        if (logged == replayed) {
            skipped = false;
            provenSequence = sequence;
            compared++;
        } else if (!skipped) {
            throw new DivergedException(provenSequence, sequence, logged, replayed);
        }
    }

    void save(StateOutput to) {
        to.writeLong(every);
        to.writeLong(dueSequence);
        to.writeLong(dueHash);
        to.writeLong(provenSequence);
        to.writeLong(bytes);
        to.writeInt((byBytes ? 1 : 0) | (skipped ? 2 : 0));
    }

    /** Reads what {@link #save} has written, or what it wrote {@code before} checks went by bytes. */
    void load(StateInput from, boolean before) {
        every = from.readLong();
        dueSequence = from.readLong();
        dueHash = from.readLong();
        provenSequence = from.readLong();
        bytes = before ? 0 : from.readLong();
        int flags = before ? 0 : from.readInt();
        byBytes = (flags & 1) != 0;
        skipped = (flags & 2) != 0;
    }
}
