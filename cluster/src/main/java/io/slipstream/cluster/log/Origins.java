package io.slipstream.cluster.log;

import io.slipstream.cluster.config.Members;
import io.slipstream.service.machine.StateFormatException;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;

/**
 * How much of each member's gateway was applied: it lets each batch through once, in order. The same at every member,
 * since it follows from the log.
 */
public final class Origins {
    private final long[] origin = new long[Members.MOST];
    private final long[] next = new long[Members.MOST];

    /** What to do with a batch. */
    public enum Verdict {
        /** It is the first one of a gateway that has started anew: all connections of the former one have ended. */
        BEGINS,
        /** It is the next one. */
        FOLLOWS,
        /** It came before, or something before it is missing: the gateway sends it again if need be. */
        DROPPED
    }

    /** Says what to do with a batch, and takes it for done. */
    public Verdict admit(int member, long ofOrigin, boolean first, long start, long end) {
        if (first && ofOrigin > origin[member]) {
            origin[member] = ofOrigin;
            next[member] = end;
            return Verdict.BEGINS;
        }
        if (ofOrigin != origin[member] || start != next[member]) {
            return Verdict.DROPPED;
        }
        next[member] = end;
        return Verdict.FOLLOWS;
    }

    /** Returns which life of its gateway a member has come to; 0 for none. */
    long of(int member) {
        return origin[member];
    }

    void save(StateOutput to) {
        for (int member = 0; member < Members.MOST; member++) {
            to.writeLong(origin[member]);
            to.writeLong(next[member]);
        }
    }

    /** Reads what {@link #save} has written. */
    public void load(StateInput from) {
        for (int member = 0; member < Members.MOST; member++) {
            origin[member] = from.readLong();
            next[member] = from.readLong();
            if (origin[member] < 0 || next[member] < 0) {
                throw new StateFormatException(
                        "the snapshot has a gateway of origin " + origin[member] + " at position " + next[member]);
            }
        }
    }
}
