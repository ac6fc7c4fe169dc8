package io.slipstream.service.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The socket as it is. */
public record PlainLink(SocketChannel channel) implements Link {
    @Override
    public int read(ByteBuffer into) throws IOException {
        return channel.read(into);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return channel.write(from);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
