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
    LATE_TIMER,
    /** The hash of the state that is due is written later. */
    LATE_CHECK,
    /** A snapshot is taken although none is due. */
    EARLY_SNAPSHOT,
    /** A snapshot that is saved between two entries waits for a later one. */
    LATE_SAVE,
    /** The log is trimmed later than it could be. */
    LATE_TRIM,
    /** What could be logged waits as if the machine had no time for it. */
    HELD_COMMAND,
    /** A request is refused as if it had waited for too long. */
    LATE_COMMAND,
    /** A client that has connected is accepted later. */
    LATE_ACCEPT,
    /** What a connection has sent is read later, and that of others first. */
    LATE_READ,
    /** What a connection has sent behind its first request waits. */
    SHORT_INTAKE,
    /** A request that could go on by now waits longer. */
    LATE_RETRY,
    /** The gateway hands out a part of what the logic has sent. */
    SHORT_OUTPUT,
    /** What one gateway asks of another one is done later. */
    LATE_ASK,
    /** The log is told later which connections have ended. */
    LATE_FAREWELL,
    /** A subscriber is taken for one that does not keep up. */
    LAGGARD,
    /** There is no memory for what a connection has sent, or is to be sent. */
    NO_MEMORY,
    /** A client sends one message although more wait. */
    SHORT_PIECE,
    /** A client asks early whether its service is still there. */
    EARLY_PROBE,
    /** The window of a client stays full although messages were answered. */
    LATE_RELEASE
}
