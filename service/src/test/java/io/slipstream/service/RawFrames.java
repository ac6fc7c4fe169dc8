package io.slipstream.service;

import io.slipstream.core.frame.Frame;
import io.slipstream.service.protocol.Hello;
import io.slipstream.service.protocol.Message;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Socket;

/** Speaks the protocol over a plain socket, byte by byte, so that tests can say what a client never would. */
final class RawFrames {
    private RawFrames() {}

    static byte[] hello(long key) {
        byte[] bytes = new byte[Frame.align(Message.HEADER_BYTES + Hello.BYTES)];
        Hello.encode(MemorySegment.ofArray(bytes), 0, key, 0, 0);
        return bytes;
    }

    static byte[] command(short type, long correlation, long number) {
        byte[] bytes = frame(type, 8, Message.HEADER_BYTES + 8);
        Message.correlation(MemorySegment.ofArray(bytes), 0, correlation);
        Message.payloadLong(MemorySegment.ofArray(bytes), 0, 0, number);
        return bytes;
    }

    static byte[] frame(short type, int payload, int saidLength) {
        byte[] bytes = new byte[Frame.align(Message.HEADER_BYTES + payload)];
        Message.header(MemorySegment.ofArray(bytes), 0, type, payload, 0, 1);
        Frame.length(MemorySegment.ofArray(bytes), 0, saidLength);
        return bytes;
    }

    static void send(Socket socket, byte[] bytes) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(bytes);
        out.flush();
    }

    static MemorySegment receive(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] head = in.readNBytes(Message.HEADER_BYTES);
        if (head.length < Message.HEADER_BYTES) {
            throw new EOFException("the service has closed the connection");
        }
        int length = Frame.length(MemorySegment.ofArray(head), 0);
        byte[] rest = in.readNBytes(Frame.align(length) - head.length);
        MemorySegment frame = MemorySegment.ofArray(new byte[length]);
        MemorySegment.copy(head, 0, frame, ValueLayout.JAVA_BYTE, 0, head.length);
        MemorySegment.copy(rest, 0, frame, ValueLayout.JAVA_BYTE, head.length, length - head.length);
        return frame;
    }
}
