package io.slipstream.service.host;

/** A point of the code where a simulation may ask for what happens rarely. See {@link Host#strikes}. */
public enum FaultPoint {
    /** The journal takes one entry although more have arrived. */
    SHORT_BATCH,
    /** The logic applies one entry although more are durable. */
    SHORT_ROUND,
    /** The ring in front of the journal says that it is full. */
    FULL_RING,
    /** A timer that is due is looked at later. */
    LATE_TIMER
}
