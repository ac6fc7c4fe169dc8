package io.slipstream.sim.cluster;

/** What may happen to a cluster. */
enum ClusterDisaster {
    /** A member dies. */
    KILL,
    /** The leader dies. */
    KILL_LEADER,
    /** All members die, one soon after the other. */
    KILL_ALL,
    /** A member ends in order and starts again. */
    RESTART,
    /** A member starts again and has lost its snapshot. */
    REPLAY,
    /** A member does nothing for a while. */
    PAUSE,
    /** The leader does nothing for a while. */
    PAUSE_LEADER,
    /** A member does not reach the others for a while. */
    CUT_OFF,
    /** The leader does not reach the others for a while. */
    CUT_OFF_LEADER,
    /** Another one becomes the leader. */
    ELECTION,
    /** What gateways send is lost in part for a while. */
    LOSS,
    /** A client is no more, and a new one comes in its place. */
    CLIENT_LEAVES,
    /** All members die, and so does a client. */
    KILL_ALL_AND_CLIENT,
    /** The connection of a client is lost, or one end of it. */
    CUT,
    /** What is sent to clients and back arrives late and in pieces. */
    BAD_NETWORK,
    /** The clock of a member's machine leaps. */
    CLOCK_LEAP,
    /** The clock of a member's machine runs faster, or slower. */
    CLOCK_DRIFT,
    /** All take a snapshot. */
    SNAPSHOT_OF_ALL,
    /** One member after the other starts with a new version, and then the log goes over to it. */
    UPGRADE
}
