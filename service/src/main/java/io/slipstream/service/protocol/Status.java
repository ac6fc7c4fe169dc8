package io.slipstream.service.protocol;

import java.lang.foreign.MemorySegment;

/**
 * Payload of the answer to {@link MessageType#STATUS}.
 *
 * <pre>
 *    0 last sequence applied    8 state hash   16 sessions   24 commands replayed at start
 *   32 nanoseconds of recovery  40 requests that the log had no room for   48 whether it has none now
 * </pre>
 *
 * @param sequence      of the last log entry that was applied
 * @param stateHash     of the state machine, see {@code StateMachine.stateHash}
 * @param sessions      that are open
 * @param replayed      log entries replayed when the service started
 * @param recoveryNanos how long it took to recover and replay
 * @param unlogged      requests refused since the start because the log had no room
 * @param isLogFull     whether the log has no room at present
 */
public record Status(
        long sequence,
        long stateHash,
        long sessions,
        long replayed,
        long recoveryNanos,
        long unlogged,
        boolean isLogFull) {
    /** Bytes of the payload. */
    public static final int BYTES = 56;

    /** The status of a service whose log has always had room. */
    public Status(long sequence, long stateHash, long sessions, long replayed, long recoveryNanos) {
        this(sequence, stateHash, sessions, replayed, recoveryNanos, 0, false);
    }

    /** Writes the payload. */
    public void encodePayload(MemorySegment memory, long offset) {
        Message.payloadLong(memory, offset, 0, sequence);
        Message.payloadLong(memory, offset, 8, stateHash);
        Message.payloadLong(memory, offset, 16, sessions);
        Message.payloadLong(memory, offset, 24, replayed);
        Message.payloadLong(memory, offset, 32, recoveryNanos);
        Message.payloadLong(memory, offset, 40, unlogged);
        Message.payloadLong(memory, offset, 48, isLogFull ? 1 : 0);
    }

    /** Reads the payload of the message at {@code offset}. */
    public static Status decode(MemorySegment memory, long offset) {
        return new Status(
                Message.payloadLong(memory, offset, 0),
                Message.payloadLong(memory, offset, 8),
                Message.payloadLong(memory, offset, 16),
                Message.payloadLong(memory, offset, 24),
                Message.payloadLong(memory, offset, 32),
                Message.payloadLong(memory, offset, 40),
                Message.payloadLong(memory, offset, 48) != 0);
    }
}
