package io.slipstream.service.client;

/**
 * The answer to a command or query.
 *
 * @param sequence the command's place in the log; for a query 0
 * @param payload  what the state machine has answered
 */
public record Reply(long sequence, byte[] payload) {}
