package io.slipstream.cli.ipc;

import io.slipstream.ipc.IpcChannel;
import picocli.CommandLine.Parameters;

import java.nio.file.Path;

/** Which channel: a file, or the name of one in the folder for channels. */
final class ChannelFileOption {
    @Parameters(paramLabel = "CHANNEL", description = "The file of the channel, or its name in /dev/shm.")
    private String channel;

    @SuppressWarnings("NullAway.Init")
    ChannelFileOption() {
    }

    Path file() {
        return channel.contains("/") || channel.endsWith(".ipc") ? Path.of(channel) : IpcChannel.named(channel);
    }
}
