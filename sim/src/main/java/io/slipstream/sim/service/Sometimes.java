package io.slipstream.sim.service;

/** What need not happen in a life, and without which some lives prove little: a report tells which never did. */
enum Sometimes {
    BATCH_IN_TWO_SEGMENTS("a batch continues in the next segment"),
    TORN_TAIL("a start cuts off a torn tail"),
    LOST_ENTRIES("a loss of power or a kill takes entries of the log away that were answered"),
    SNAPSHOT_LOADED("a start loads a snapshot"),
    TRIMMED_LOG("a start finds a log that was trimmed"),
    SEVERAL_GATEWAYS("a start has several gateways"),
    COMMAND_REFUSED("a command is refused as busy"),
    COMMAND_FAILED("a command fails"),
    OUTCOME_UNKNOWN("a client does not learn what became of a command"),
    SESSION_ENDED("a client ends its session"),
    SESSION_FORGOTTEN("a session is forgotten for a newer one"),
    COMMAND_FORBIDDEN("a client has no right to what it sends");

    private final String text;

    Sometimes(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
