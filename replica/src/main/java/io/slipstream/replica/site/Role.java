package io.slipstream.replica.site;

/** What a folder is in a pair of sites. */
public enum Role {
    /** In no pair. */
    NONE,

    /** Serves, and pushes its journal to a backup. */
    PRIMARY,

    /** Gets the journal of a primary. */
    BACKUP,

    /** Was a backup, and has taken over. */
    PROMOTED,

    /** Was a primary, until its backup was promoted. */
    FENCED
}
