package io.slipstream.cluster.log;

/**
 * Where a member is.
 *
 * @param sequence  of the last log entry that it has applied
 * @param stateHash of the state machine there
 * @param sessions  that it remembers
 */
public record MemberState(long sequence, long stateHash, int sessions) {}
