package io.slipstream.cli.ipc;

import io.slipstream.ipc.IpcChannel;
import java.io.IOException;
import java.nio.file.Path;

/** A channel that is only looked at: the file of one that nobody uses stays. */
final class ChannelView implements AutoCloseable {
    private final IpcChannel channel;

    ChannelView(Path file) throws IOException {
        this.channel = IpcChannel.open(file);
    }

    IpcChannel channel() {
        return channel;
    }

    @Override
    public void close() {
        channel.leave();
    }
}
