package io.slipstream.cluster.config;

/**
 * What the folder of a member is expected to hold when the member starts. A member that has lost what it acknowledged
 * must not vote: with it, a majority could elect a leader that lacks commands that were answered.
 */
public enum Joining {
    /** The member was here before, and its folder has all that it had then. */
    AGAIN,

    /**
     * The member starts for the first time, and no member of that number was ever part of the cluster. Its folder is
     * empty.
     */
    FORM,

    /**
     * A member of that number was part of the cluster, and its folder is lost. The new folder is empty. The member
     * copies the last snapshot and the log from the leader, and takes part when it has them: until then it has no vote.
     */
    REPLACE
}
