package io.slipstream.journal;

/** How far a reader of a live journal goes. */
public enum ReadLimit {
    /** Up to the durable sequence: what it has seen is not lost in any failure that the journal's level covers. */
    DURABLE,

    /** Up to what was written, which a failure may still take back. */
    WRITTEN
}
