package io.slipstream.cli.ipc;

import io.slipstream.ipc.IpcChannel;
import java.nio.file.Path;
import picocli.CommandLine.Parameters;

/** Which channel: a file, or the name of one in the folder for channels. */
final class ChannelFileOption {
    @Parameters(paramLabel = "CHANNEL", description = "The file of the channel, or its name in /dev/shm.")
    private String channel;

    @SuppressWarnings("NullAway.Init")
    ChannelFileOption() {}

    Path file() {
        return channel.contains("/") || channel.endsWith(".ipc") ? Path.of(channel) : IpcChannel.named(channel);
    }
}
