package io.slipstream.core.sequencer;

/**
 * The events of a ring, for a loop that holds them in a local variable, which spares a read for each event.
 *
 * @param array the events; its length is a power of two
 */
@SuppressWarnings("ArrayRecordComponent")
public record Entries(Object[] array) {
    /** Returns the event at {@code sequence}. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public static <E> E get(Object[] array, long sequence) {
        // Written so that the compiler can see that the index is always within the array.
        return (E) array[(int) sequence & (array.length - 1)];
    }
}
