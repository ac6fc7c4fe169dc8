package io.slipstream.journal.recovery;

/**
 * Bytes behind the end of a full segment that are not zero and that nobody has written: the device has changed them.
 *
 * @param file in which they are
 * @param from where its last frame ends
 * @param to   behind the last byte that is not zero
 */
public record Stray(SegmentFile file, long from, long to) {
    static final String FINDING = "bytes behind the end of a full segment";
}
