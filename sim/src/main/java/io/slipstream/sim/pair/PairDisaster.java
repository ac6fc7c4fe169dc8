package io.slipstream.sim.pair;

/** What may happen to two sites. */
enum PairDisaster {
    /** A process dies. */
    KILL,
    /** A process dies in the middle of a write. */
    KILL_IN_WRITE,
    /** A machine loses its power, and what its disk has not forced may be lost. */
    POWER_CUT,
    /** It does so in the middle of a write. */
    POWER_CUT_IN_WRITE,
    /** A site ends in order and starts again. */
    RESTART,
    /** A process does nothing for a while. */
    PAUSE,
    /** A disk is slow for a while. */
    SLOW_DISK,
    /** A disk has no room for a while. */
    FULL_DISK,
    /** Nothing arrives between the sites for a while. */
    CUT_LINK,
    /** Nothing arrives from one site at the other for a while. */
    CUT_LINK_ONE_WAY,
    /** A connection is lost, or one end of it. */
    CUT,
    /** What is sent arrives late and in pieces. */
    BAD_NETWORK,
    /** The backup is promoted while its primary is there. */
    PROMOTE,
    /** Two operators promote the backup at the same time. */
    PROMOTE_TWICE,
    /** The primary dies, and the backup is promoted. */
    PROMOTE_BEHIND_DEATH,
    /** The primary is cut off, and the backup is promoted. */
    PROMOTE_BEHIND_CUT
}
