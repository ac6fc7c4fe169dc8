package io.slipstream.service.machine;

/**
 * A state machine that can say what the bytes of its commands mean. A service keeps that beside its log, so tools show
 * the commands without the machine's classes.
 */
@FunctionalInterface
public interface CommandSchema {
    /** Returns the definitions of the commands as text; see {@code docs/data-format.md}. */
    String commandSchema();

    /**
     * Returns the definitions of all that clients send and get, replies and events included: with these, the records of
     * a client are compared. By default those of the commands.
     */
    default String clientSchema() {
        return commandSchema();
    }
}
