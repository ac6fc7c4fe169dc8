package io.slipstream.replica;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;

/** Sends the end of each message together with the beginning of the next one: there is always more to come. */
final class HoldingBackSocket extends Socket {
    private static final int HELD_BYTES = 4;

    static HoldingBackSocket connect(int port) throws IOException {
        HoldingBackSocket socket = new HoldingBackSocket();
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        OutputStream to = super.getOutputStream();
        return new ByteArrayOutputStream() {
            @Override
            public void flush() throws IOException {
                byte[] all = toByteArray();
                reset();
                to.write(all, 0, all.length - HELD_BYTES);
                writeBytes(Arrays.copyOfRange(all, all.length - HELD_BYTES, all.length));
            }
        };
    }
}
