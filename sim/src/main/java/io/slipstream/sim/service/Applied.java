package io.slipstream.sim.service;

/**
 * A command that the machine has applied.
 *
 * @param sequence its place in the log
 * @param session  whose command it is
 * @param id       what the simulation calls it
 * @param command  hash of its payload
 * @param reply    hash of the reply; 0 if there was none, 1 if the machine rejected it, 2 if it threw
 */
record Applied(long sequence, long session, long id, long command, long reply) {
    static final long NO_REPLY = 0;
    static final long REJECTED = 1;
    static final long THROWN = 2;
}
