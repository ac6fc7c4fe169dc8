package io.slipstream.sim.service;

import io.slipstream.core.frame.Frame;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Commands on their way to the service, once more. */
final class Resend {
    private Resend() {}

    /** Returns whole commands twice, as resends, which are never refused as busy; anything else as it is. */
    static byte[] twice(byte[] bytes) {
        byte[] both = Arrays.copyOf(bytes, 2 * bytes.length);
        System.arraycopy(bytes, 0, both, bytes.length, bytes.length);
        MemorySegment memory = MemorySegment.ofArray(both);
        int at = bytes.length;
        while (at < both.length) {
            if (both.length - at < Message.HEADER_BYTES || Message.type(memory, at) != MessageType.COMMAND) {
                return bytes;
            }
            int length = Frame.length(memory, at);
            if (length < Message.HEADER_BYTES || length > both.length - at) {
                return bytes;
            }
            both[at + Message.FLAGS_OFFSET] |= Message.RESENT;
            both[at - bytes.length + Message.FLAGS_OFFSET] |= Message.RESENT;
            at += Frame.align(length);
        }
        return at == both.length ? both : bytes;
    }
}
