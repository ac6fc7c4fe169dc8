package io.slipstream.cli.ipc;

import io.slipstream.ipc.ChannelSettings;
import io.slipstream.ipc.IpcChannel;
import io.slipstream.ipc.IpcPublisher;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code slipstream ipc publish}. */
@Command(
        name = "publish",
        mixinStandardHelpOptions = true,
        description = "Publishes each line of the standard input to a channel, which is created if there is none.")
final class PublishCommand implements Callable<Integer> {
    @Mixin
    private ChannelFileOption file;

    @Option(names = "--ring", paramLabel = "BYTES", description = "Size of the ring of a new channel, a power of two.")
    private int ring = 1 << 20;

    @Option(names = "--many", description = "A new channel is for many publishers.")
    private boolean many;

    @Option(names = "--keep", description = "A new channel stays when the last process has closed it.")
    private boolean keep;

    @SuppressWarnings("NullAway.Init")
    PublishCommand() {}

    @Override
    public Integer call() throws IOException {
        ChannelSettings settings = many ? ChannelSettings.manyPublishers(ring) : ChannelSettings.onePublisher(ring);
        try (IpcChannel channel = IpcChannel.openOrCreate(file.file(), keep ? settings.keptWhenClosed() : settings);
                IpcPublisher publisher = channel.newPublisher("slipstream ipc publish");
                BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                publisher.publish(MemorySegment.ofArray(line.getBytes(StandardCharsets.UTF_8)));
            }
        }
        return 0;
    }
}
