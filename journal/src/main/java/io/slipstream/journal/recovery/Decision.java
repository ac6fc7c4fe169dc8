package io.slipstream.journal.recovery;

import io.slipstream.journal.config.RecoveryPolicy;
import java.util.List;

/** What is to be done about the place where the walk through a journal has stopped. */
public enum Decision {
    /** The end is clean: go on from there. */
    CONTINUE,

    /** A torn tail: cut it off, keep it aside, go on from there. */
    CUT,

    /** A torn tail, but the policy is not to touch it. */
    REFUSE_TORN,

    /** The last batch is damaged, and not in the way in which an interrupted write damages. */
    REFUSE_DAMAGED,

    /** What had been durable is damaged or missing. */
    REFUSE_CORRUPT;

    /** Why the walk has stopped. */
    public enum Stop {
        /** Zeros, or the end of the file. */
        END,
        /** A frame some of whose sectors were never written. */
        TORN,
        /** A frame that was written and is wrong. */
        DAMAGED
    }

    /** What lies behind the place where the walk has stopped. */
    public enum Behind {
        /** Only zeros. */
        NOTHING,
        /** Something, but nothing that says that the missing record was durable. */
        BYTES,
        /** A mark or a header that says that the missing record had been forced. */
        EVIDENCE
    }

    /** One row of the table. */
    public record Row(Stop stop, Behind behind, RecoveryPolicy policy, Decision decision) {}

    /**
     * The whole table. Bytes that are damaged themselves are behind the stop, so that damage with nothing behind does
     * not occur.
     */
    public static final List<Row> TABLE = List.of(
            new Row(Stop.END, Behind.NOTHING, RecoveryPolicy.TAIL, CONTINUE),
            new Row(Stop.END, Behind.NOTHING, RecoveryPolicy.STRICT, CONTINUE),
            new Row(Stop.END, Behind.NOTHING, RecoveryPolicy.SALVAGE, CONTINUE),
            new Row(Stop.END, Behind.BYTES, RecoveryPolicy.TAIL, CUT),
            new Row(Stop.END, Behind.BYTES, RecoveryPolicy.STRICT, REFUSE_TORN),
            new Row(Stop.END, Behind.BYTES, RecoveryPolicy.SALVAGE, CUT),
            new Row(Stop.END, Behind.EVIDENCE, RecoveryPolicy.TAIL, REFUSE_CORRUPT),
            new Row(Stop.END, Behind.EVIDENCE, RecoveryPolicy.STRICT, REFUSE_CORRUPT),
            new Row(Stop.END, Behind.EVIDENCE, RecoveryPolicy.SALVAGE, CUT),
            new Row(Stop.TORN, Behind.BYTES, RecoveryPolicy.TAIL, CUT),
            new Row(Stop.TORN, Behind.BYTES, RecoveryPolicy.STRICT, REFUSE_TORN),
            new Row(Stop.TORN, Behind.BYTES, RecoveryPolicy.SALVAGE, CUT),
            new Row(Stop.TORN, Behind.EVIDENCE, RecoveryPolicy.TAIL, REFUSE_CORRUPT),
            new Row(Stop.TORN, Behind.EVIDENCE, RecoveryPolicy.STRICT, REFUSE_CORRUPT),
            new Row(Stop.TORN, Behind.EVIDENCE, RecoveryPolicy.SALVAGE, CUT),
            new Row(Stop.DAMAGED, Behind.BYTES, RecoveryPolicy.TAIL, REFUSE_DAMAGED),
            new Row(Stop.DAMAGED, Behind.BYTES, RecoveryPolicy.STRICT, REFUSE_DAMAGED),
            new Row(Stop.DAMAGED, Behind.BYTES, RecoveryPolicy.SALVAGE, CUT),
            new Row(Stop.DAMAGED, Behind.EVIDENCE, RecoveryPolicy.TAIL, REFUSE_CORRUPT),
            new Row(Stop.DAMAGED, Behind.EVIDENCE, RecoveryPolicy.STRICT, REFUSE_CORRUPT),
            new Row(Stop.DAMAGED, Behind.EVIDENCE, RecoveryPolicy.SALVAGE, CUT));

    /** Looks the decision up. */
    public static Decision of(Stop stop, Behind behind, RecoveryPolicy policy) {
        for (Row row : TABLE) {
            if (row.stop == stop && row.behind == behind && row.policy == policy) {
                return row.decision;
            }
        }
        throw new IllegalStateException("no row for " + stop + ", " + behind + ", " + policy);
    }
}
