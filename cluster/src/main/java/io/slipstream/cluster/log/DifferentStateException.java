package io.slipstream.cluster.log;

import java.util.Locale;

/**
 * This member's state is not the one that a majority has: its memory, its code or its machine differs; or no majority
 * has the same one.
 */
public final class DifferentStateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DifferentStateException(long sequence, long own, long others, int majority) {
        super(String.format(
                Locale.ROOT,
                "behind log entry %d this member's state has the hash %016x, and %d members have %016x. This member is"
                    + " wrong and stops. The state machine does something that does not follow from the log, or this"
                    + " machine computes wrongly; replace the member once that is mended",
                sequence,
                own,
                majority,
                others));
    }

    DifferentStateException(long sequence, String states) {
        super("behind log entry " + sequence + " no majority has the same state: " + states + ". All members stop. The"
                + " state machine does something that does not follow from the log, such as reading a clock: fix it,"
                + " and start the members again; they replay the log");
    }
}
