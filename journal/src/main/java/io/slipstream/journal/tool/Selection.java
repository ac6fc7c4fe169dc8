package io.slipstream.journal.tool;

/**
 * Which records to show.
 *
 * @param from  the first sequence
 * @param to    the last sequence
 * @param type  the type of the records, or {@link #ANY_TYPE}
 * @param marks whether to show the journal's own marks, too
 */
public record Selection(long from, long to, int type, boolean marks) {
    /** All types. */
    public static final int ANY_TYPE = -1;

    /** Everything. */
    public static final Selection ALL = new Selection(1, Long.MAX_VALUE, ANY_TYPE, true);

    boolean holds(long sequence, short recordType) {
        return sequence >= from && sequence <= to && (type == ANY_TYPE || type == recordType);
    }
}
