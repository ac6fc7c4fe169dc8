package io.slipstream.journal.config;

/**
 * What must have happened to a record before {@link io.slipstream.journal.Journal#commit} counts it as durable, that
 * is, before {@link io.slipstream.journal.Journal#durableSequence} passes it and it may be acknowledged.
 *
 * <pre>
 *             acknowledged when the record is          survives kill -9 of     survives power loss and
 *                                                      the process             a crash of the system
 *   NONE      in the memory of the process             what was written        what was forced
 *   PROCESS   written: in the system's page cache      all acknowledged        what was forced
 *   SYNC      written and forced to the device         all acknowledged        all acknowledged
 * </pre>
 *
 * <p>At every level what is found after a crash is an exact prefix of what was appended. Below SYNC the system writes
 * back in its own time (a segment that is full is forced in the background). Not promised at any level: anything on
 * drives that lie about forcing, on network file systems, or against damage to several copies of the same evidence.
 */
public enum Durability {
    /**
     * Acknowledged from memory; a crash of the process may lose acknowledged records that were not written yet. They
     * can be read once they are written, by {@link io.slipstream.journal.Journal#flush} for one.
     */
    NONE,

    /** Acknowledged once the operating system has the record; a crash of the process loses nothing. */
    PROCESS,

    /** Acknowledged once the device has confirmed the record; a power failure loses nothing. */
    SYNC
}
