package io.slipstream.service.testing;

import io.slipstream.core.frame.Frame;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.typed.Operation;
import io.slipstream.service.typed.TypedMachine;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;

/** Says in a line what an entry of a log is. */
final class EntryText {
    private static final int MOST_BYTES = 64;

    private EntryText() {}

    /** Returns sequence, type, and what a command says: as JSON if the machine is typed, else its first bytes. */
    static String of(MemorySegment memory, long offset, StateMachine machine) {
        long sequence = Message.sequence(memory, offset);
        short type = Message.type(memory, offset);
        if (type != MessageType.COMMAND) {
            return sequence + " (" + name(type) + ")";
        }
        long payload = offset + Message.HEADER_BYTES;
        int length = Frame.length(memory, offset) - Message.HEADER_BYTES;
        Operation<?, ?> operation =
                machine instanceof TypedMachine typed ? typed.contract().operation(memory, payload, length) : null;
        if (operation != null) {
            return sequence + " (" + operation.name() + " " + operation.toJson(memory, payload, length) + ")";
        }
        byte[] first = memory.asSlice(payload, Math.min(length, MOST_BYTES)).toArray(ValueLayout.JAVA_BYTE);
        return sequence + " (a command of session " + Message.session(memory, offset) + " with " + length + " bytes: "
                + HexFormat.of().formatHex(first) + (length > MOST_BYTES ? " ..." : "") + ")";
    }

    /** Returns the type of an entry in a word, for programs. */
    static String type(short type) {
        return switch (type) {
            case MessageType.HELLO -> "hello";
            case MessageType.COMMAND -> "command";
            case MessageType.BYE -> "bye";
            case MessageType.DETACH -> "detach";
            case MessageType.START -> "start";
            case MessageType.TICK -> "tick";
            case MessageType.CHECK -> "check";
            default -> String.valueOf(type);
        };
    }

    private static String name(short type) {
        return switch (type) {
            case MessageType.HELLO -> "a session was opened or resumed";
            case MessageType.BYE -> "a session was closed";
            case MessageType.DETACH -> "a connection ended";
            case MessageType.START -> "the service started";
            case MessageType.TICK -> "timers were due";
            case MessageType.CHECK -> "a check of the state";
            default -> "type " + type;
        };
    }
}
