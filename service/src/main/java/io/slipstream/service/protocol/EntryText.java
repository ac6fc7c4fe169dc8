package io.slipstream.service.protocol;

import java.lang.foreign.MemorySegment;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Says in words what the entries of a service's log mean, apart from the commands, which the state machine knows. */
public final class EntryText {
    private EntryText() {}

    /** Returns whether a log has entries of that type. */
    public static boolean knows(short type, byte version) {
        return version == Message.VERSION
                && MessageType.isLogged(type)
                && type >= MessageType.HELLO
                && type <= MessageType.CHECK;
    }

    /**
     * Returns what the entry whose header is at {@code offset} means.
     *
     * @param payload its length in bytes
     * @return null for a command, and for what cannot be decoded
     */
    public static @Nullable String of(MemorySegment memory, long offset, int payload) {
        return switch (Message.type(memory, offset)) {
            case MessageType.HELLO -> payload >= Hello.BYTES ? "opens or resumes a session" : null;
            case MessageType.BYE -> payload == 0 ? "ends its session" : null;
            case MessageType.DETACH -> payload == 0 ? "has lost its connection" : null;
            case MessageType.TICK -> payload == 0 ? "a timer is due" : null;
            case MessageType.START -> start(memory, offset, payload);
            case MessageType.CHECK ->
                payload == 2 * Long.BYTES
                        ? "the state behind entry "
                                + Message.payloadLong(memory, offset, 0) + " has the hash "
                                + Long.toHexString(Message.payloadLong(memory, offset, 8))
                        : null;
            default -> null;
        };
    }

    /** Returns time, session and correlation of the entry whose header is at {@code offset}, and then {@code what}. */
    public static String line(MemorySegment memory, long offset, String what) {
        return Instant.EPOCH.plusNanos(Message.timeNanos(memory, offset)) + " session "
                + Message.session(memory, offset)
                + " correlation " + Message.correlation(memory, offset) + ": " + what;
    }

    private static @Nullable String start(MemorySegment memory, long offset, int payload) {
        if (!Start.isSound(memory, offset, payload)) {
            return null;
        }
        Start start = Start.decode(memory, offset);
        return "start of '" + start.name() + "' version " + start.version() + ", at most " + start.sessions()
                + " sessions";
    }
}
