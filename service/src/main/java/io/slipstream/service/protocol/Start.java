package io.slipstream.service.protocol;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Payload of {@link MessageType#START}, the entry that each start of a service writes into its log first: whose log
 * this is, and what decides how it is replayed.
 *
 * <pre>
 *   0 version of the logic (int)   4 limit of sessions (int)   8 seed of random numbers
 *   16 entries between checks of the state   24 bytes of the name (int)   28 name in UTF-8 ...
 * </pre>
 *
 * <p>The flags of its header say by which rules the log is replayed from here on; a log of an earlier version of this
 * library has none of them.
 *
 * @param name       of the state machine; a log is served under this name alone
 * @param version    of the state machine, from 0 on
 * @param sessions   how many sessions are remembered
 * @param seed       of the random numbers of this log; that of the first start counts
 * @param checkEvery how many entries lie between two checks of the state's hash; 0 for no checks
 * @param rules      any of {@link #ENDS_SESSIONS}, {@link #TIMERS_WAIT}, {@link #CHECKS_BYTES}, {@link
 *                   #CHECKS_FIRE_NOTHING}, {@link #ANNOUNCES}, {@link #UPGRADES} and {@link #LATEST_CONNECTION}
 */
public record Start(String name, int version, int sessions, long seed, long checkEvery, byte rules) {
    /** Sessions that end with their connection end with this entry, as no connection outlives its process. */
    public static final byte ENDS_SESSIONS = 1;

    /** What is scheduled for a time that has come fires with the next entry, also from within a timer. */
    public static final byte TIMERS_WAIT = 2;

    /** If the state is checked at all, it is also checked whenever the log has grown by a number of bytes. */
    public static final byte CHECKS_BYTES = 4;

    /** No timer fires with a check of the state, so one that is written at the end leaves the state as it was. */
    public static final byte CHECKS_FIRE_NOTHING = 8;

    /** One of several that write the log knows this version; it counts only if the log has none yet. */
    public static final byte ANNOUNCES = 16;

    /** The log goes to this version with this entry, and nothing else changes. */
    public static final byte UPGRADES = 32;

    /**
     * Of a session only the connection counts that it was resumed on last: what comes on an earlier one is passed over,
     * and a client's earlier connection takes nothing from a later one, in whatever order they arrive.
     */
    public static final byte LATEST_CONNECTION = 64;

    /** The rules for a log that one service writes alone. */
    public static final byte ALL_RULES =
            ENDS_SESSIONS | TIMERS_WAIT | CHECKS_BYTES | CHECKS_FIRE_NOTHING | LATEST_CONNECTION;

    /** The rules for a log that members write together: the sessions of the others go on when one of them starts. */
    public static final byte SHARED_RULES = TIMERS_WAIT | LATEST_CONNECTION;

    /** The longest name in bytes. */
    public static final int MAX_NAME_BYTES = 256;

    private static final int NAME_OFFSET = 28;

    /** Checks the name. */
    public Start {
        if (name.isBlank() || name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
            throw new IllegalArgumentException("the name of a state machine has from 1 to " + MAX_NAME_BYTES
                    + " bytes, and is not '" + name + "'");
        }
        if (version < 0) {
            throw new IllegalArgumentException("the version of a state machine is from 0 on, not " + version);
        }
    }

    /** Returns how many bytes the payload has. */
    public int bytes() {
        return NAME_OFFSET + name.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Writes flags and payload of the message whose header is at {@code offset}. */
    public void encodePayload(MemorySegment memory, long offset) {
        Message.flags(memory, offset, rules);
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        Message.payloadInt(memory, offset, 0, version);
        Message.payloadInt(memory, offset, 4, sessions);
        Message.payloadLong(memory, offset, 8, seed);
        Message.payloadLong(memory, offset, 16, checkEvery);
        Message.payloadInt(memory, offset, 24, bytes.length);
        MemorySegment.copy(
                bytes, 0, memory, ValueLayout.JAVA_BYTE, offset + Message.HEADER_BYTES + NAME_OFFSET, bytes.length);
    }

    /** Returns whether {@code payload} bytes behind the header at {@code offset} can be read. */
    public static boolean isSound(MemorySegment memory, long offset, int payload) {
        if (payload <= NAME_OFFSET) {
            return false;
        }
        int length = Message.payloadInt(memory, offset, 24);
        return length == payload - NAME_OFFSET
                && length <= MAX_NAME_BYTES
                && Message.payloadInt(memory, offset, 0) >= 0
                && !name(memory, offset, length).isBlank()
                && name(memory, offset, length).indexOf('\uFFFD') < 0;
    }

    /** Reads the payload of the message whose header is at {@code offset}. */
    public static Start decode(MemorySegment memory, long offset) {
        int length = Math.clamp(Message.payloadInt(memory, offset, 24), 0, MAX_NAME_BYTES);
        return new Start(
                name(memory, offset, length),
                Message.payloadInt(memory, offset, 0),
                Message.payloadInt(memory, offset, 4),
                Message.payloadLong(memory, offset, 8),
                Message.payloadLong(memory, offset, 16),
                Message.flags(memory, offset));
    }

    /** Returns whether these rules have {@code rule}. */
    public boolean has(byte rule) {
        return (rules & rule) != 0;
    }

    private static String name(MemorySegment memory, long offset, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(
                memory, ValueLayout.JAVA_BYTE, offset + Message.HEADER_BYTES + NAME_OFFSET, bytes, 0, length);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
