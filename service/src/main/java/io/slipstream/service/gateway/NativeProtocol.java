package io.slipstream.service.gateway;

import io.slipstream.core.frame.Frame;
import io.slipstream.service.protocol.ClientSchema;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.Hello;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Subscription;
import io.slipstream.service.security.Credentials;
import io.slipstream.service.spi.Conversation;
import io.slipstream.service.spi.Protocol;
import io.slipstream.service.spi.Requests;
import io.slipstream.service.spi.Responses;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Slipstream's own language: the frames of the ring and of the journal, unchanged.
 *
 * <p>A new command that there is no room for is refused at once, which tells the client that it was not applied. Of one
 * that was sent before, on an earlier connection, nobody here knows that: it waits until there is room, and the logic
 * tells.
 */
public final class NativeProtocol implements Protocol, Conversation {
    /** The only one: it has no state. */
    public static final NativeProtocol INSTANCE = new NativeProtocol();

    private NativeProtocol() {}

    @Override
    public String name() {
        return "native";
    }

    @Override
    public Conversation begin() {
        return this;
    }

    @Override
    public int decode(MemorySegment memory, long offset, int length, Requests requests, Responses responses) {
        if (length < Message.HEADER_BYTES) {
            return INCOMPLETE;
        }
        int frame = Frame.length(memory, offset);
        if (!hasSoundHeader(memory, offset, frame, requests)) {
            return length;
        }
        int aligned = Frame.align(frame);
        if (length < aligned) {
            return INCOMPLETE;
        }
        if (Message.type(memory, offset) == MessageType.SCHEMA) {
            schema(memory, offset, frame, requests, responses);
            return aligned;
        }
        return take(memory, offset, frame, requests) ? aligned : WAIT;
    }

    @Override
    public void encode(MemorySegment memory, long offset, int length, Responses responses) {
        long at = responses.claim(Frame.align(length));
        if (at != Responses.NO_ROOM) {
            MemorySegment.copy(memory, offset, responses.memory(), at, length);
        }
    }

    private static boolean hasSoundHeader(MemorySegment memory, long offset, int length, Requests requests) {
        int longest = Message.HEADER_BYTES + requests.maxPayloadLength();
        byte version = Message.version(memory, offset);
        if (length >= Message.HEADER_BYTES && length <= longest && version == Message.VERSION) {
            return true;
        }
        if (length < Message.HEADER_BYTES) {
            requests.error(
                    FailureCode.MALFORMED,
                    "a frame has at least " + Message.HEADER_BYTES + " bytes; this one says that it has " + length);
        } else if (length > longest) {
            requests.error(
                    FailureCode.TOO_LONG,
                    "a frame has at most " + longest + " bytes; this one says that it has " + length);
        } else {
            requests.error(
                    FailureCode.UNSUPPORTED_VERSION,
                    "this service speaks version " + Message.VERSION + " of the protocol, not " + version);
        }
        return false;
    }

    private static boolean take(MemorySegment memory, long offset, int length, Requests requests) {
        short type = Message.type(memory, offset);
        switch (type) {
            case MessageType.COMMAND, MessageType.QUERY, MessageType.STATUS, MessageType.BYE -> {
                return takeRequest(type, memory, offset, length, requests);
            }
            case MessageType.SUBSCRIBE, MessageType.UNSUBSCRIBE -> {
                if (length == Message.HEADER_BYTES + Subscription.BYTES) {
                    return takeRequest(type, memory, offset, length, requests);
                }
                requests.fail(
                        Message.correlation(memory, offset),
                        FailureCode.MALFORMED,
                        "a subscription has " + Subscription.BYTES + " bytes, not " + (length - Message.HEADER_BYTES));
            }
            case MessageType.HELLO -> hello(memory, offset, length, requests);
            default ->
                requests.fail(
                        Message.correlation(memory, offset),
                        FailureCode.UNKNOWN_TYPE,
                        "there is no message of type " + type + " for a service");
        }
        return true;
    }

    /** Hands the request on or refuses it; returns false if it has to wait. */
    private static boolean takeRequest(short type, MemorySegment memory, long offset, int length, Requests requests) {
        long correlation = Message.correlation(memory, offset);
        if (requests.session() == 0) {
            requests.fail(correlation, FailureCode.NO_SESSION, "say HELLO, and wait for WELCOME, first");
        } else if (!requests.offer(
                type, correlation, memory, offset + Message.HEADER_BYTES, length - Message.HEADER_BYTES)) {
            if (Message.isResent(memory, offset)) {
                return false;
            }
            if (requests.isClosing()) {
                requests.fail(correlation, FailureCode.CLOSING, "the service is shutting down");
            } else {
                requests.busy(correlation);
            }
        }
        return true;
    }

    /** Compares the records of the client with those of the service, and answers. */
    private static void schema(MemorySegment memory, long offset, int length, Requests requests, Responses responses) {
        int text = length - Message.HEADER_BYTES - ClientSchema.BYTES;
        if (requests.session() == 0) {
            requests.fail(
                    Message.correlation(memory, offset),
                    FailureCode.NO_SESSION,
                    "say HELLO, and wait for WELCOME, first");
        } else if (text < 0 || text > ClientSchema.MAX_TEXT_BYTES) {
            requests.error(
                    FailureCode.MALFORMED,
                    "a SCHEMA has a fingerprint and at most " + ClientSchema.MAX_TEXT_BYTES + " bytes of text");
        } else if (requests.schema(
                ClientSchema.fingerprint(memory, offset), ClientSchema.definitions(memory, offset, length))) {
            long at = responses.claim(Message.HEADER_BYTES);
            if (at != Responses.NO_ROOM) {
                Message.header(
                        responses.memory(),
                        at,
                        MessageType.REPLY,
                        0,
                        requests.session(),
                        Message.correlation(memory, offset));
            }
        }
    }

    private static byte[] token(MemorySegment memory, long offset, int length) {
        return memory.asSlice(offset + Message.HEADER_BYTES + Hello.BYTES, length)
                .toArray(ValueLayout.JAVA_BYTE);
    }

    private static void hello(MemorySegment memory, long offset, int length, Requests requests) {
        int tokenBytes = length - Message.HEADER_BYTES - Hello.BYTES;
        if (tokenBytes < 0
                || tokenBytes > Credentials.MAX_TOKEN_BYTES
                || Hello.magic(memory, offset) != Hello.MAGIC
                || Hello.key(memory, offset) == 0) {
            requests.error(FailureCode.MALFORMED, "this is not the HELLO of a client of this service");
        } else if (requests.isOpening()) {
            requests.error(FailureCode.MALFORMED, "HELLO came twice");
        } else if (requests.isClosing()) {
            requests.error(FailureCode.CLOSING, "the service is shutting down");
        } else if (requests.login(token(memory, offset, tokenBytes))) {
            requests.revision(Hello.revision(memory, offset));
            resume(memory, offset, requests);
        }
    }

    private static void resume(MemorySegment memory, long offset, Requests requests) {
        if (!requests.resume(
                Hello.key(memory, offset),
                Hello.lastSequence(memory, offset),
                Hello.lastIndex(memory, offset),
                Message.correlation(memory, offset))) {
            requests.busy(0);
        }
    }
}
