package io.slipstream.service;

import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.spi.Conversation;
import io.slipstream.service.spi.Protocol;
import io.slipstream.service.spi.Requests;
import io.slipstream.service.spi.Responses;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Commands as lines of text, answered in order; {@code ping} is answered by the protocol itself. */
final class LineProtocol implements Protocol {
    static final int LONGEST = 64;

    private final Runnable beforePublishing;

    LineProtocol() {
        this(() -> {});
    }

    /** One that does something of the test's each time that a command has got its place, and is not yet published. */
    LineProtocol(Runnable beforePublishing) {
        this.beforePublishing = beforePublishing;
    }

    @Override
    public String name() {
        return "lines";
    }

    @Override
    public Conversation begin() {
        return new Lines(beforePublishing);
    }

    private static final class Lines implements Conversation {
        private final Runnable beforePublishing;
        private long correlation;

        Lines(Runnable beforePublishing) {
            this.beforePublishing = beforePublishing;
        }

        @Override
        public int decode(MemorySegment memory, long offset, int length, Requests requests, Responses responses) {
            int end = 0;
            while (end < length && memory.get(ValueLayout.JAVA_BYTE, offset + end) != '\n') {
                end++;
            }
            if (end > LONGEST) {
                requests.error(FailureCode.TOO_LONG, "a line has at most " + LONGEST + " bytes");
                return length;
            }
            if (end == length) {
                return INCOMPLETE;
            }
            if (requests.session() == 0) {
                if (!requests.isOpening()) {
                    requests.open();
                }
                return WAIT;
            }
            String line =
                    new String(memory.asSlice(offset, end).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
            if (line.equals("ping")) {
                if (requests.pending() > 0) {
                    return WAIT;
                }
                responses.write("pong\n".getBytes(StandardCharsets.UTF_8));
                return end + 1;
            }
            long at = requests.claim(MessageType.COMMAND, correlation + 1, Long.BYTES);
            if (at == Requests.NO_ROOM) {
                return WAIT;
            }
            correlation++;
            requests.memory().set(ValueLayout.JAVA_LONG_UNALIGNED, at, Long.parseLong(line));
            beforePublishing.run();
            requests.publish();
            return end + 1;
        }

        @Override
        public void encode(MemorySegment memory, long offset, int length, Responses responses) {
            @Nullable
            String line = switch (Message.type(memory, offset)) {
                case MessageType.REPLY ->
                    length == Message.HEADER_BYTES ? "" : "" + Message.payloadLong(memory, offset, 0);
                case MessageType.BUSY -> "busy";
                case MessageType.FAILED, MessageType.ERROR ->
                    "error " + FailureNotice.code(memory, offset) + " " + FailureNotice.text(memory, offset);
                default -> null;
            };
            if (line != null) {
                responses.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            }
        }
    }
}
