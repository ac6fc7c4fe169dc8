package io.slipstream.benchmarks.ipc;

import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.ipc.ChannelSettings;
import io.slipstream.ipc.IpcChannel;
import io.slipstream.ipc.IpcPublisher;
import io.slipstream.ipc.IpcSubscriber;
import io.slipstream.ipc.IpcWaiter;
import io.slipstream.ipc.Start;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Channels of Slipstream; a stream is a file that the contest has created. */
final class SlipstreamLink implements Link {
    static final int CAPACITY = 1 << 20;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final Path folder;
    private final boolean sleeping;
    private final List<IpcChannel> channels = new ArrayList<>();

    SlipstreamLink(Path folder, boolean sleeping) {
        this.folder = folder;
        this.sleeping = sleeping;
    }

    static void create(Path folder, int stream, boolean many) throws IOException {
        IpcChannel.create(file(folder, stream), new ChannelSettings(CAPACITY, many, 16, true))
                .close();
    }

    static Path file(Path folder, int stream) {
        return folder.resolve("stream-" + stream + ".ipc");
    }

    private IpcChannel channel(int stream) throws IOException {
        IpcChannel channel = IpcChannel.open(file(folder, stream));
        channels.add(channel);
        return channel;
    }

    @Override
    public Sender sender(int stream, int messageBytes) throws IOException {
        IpcPublisher publisher = channel(stream).newPublisher("publisher");
        MemorySegment memory = publisher.memory();
        MemorySegment source = MemorySegment.ofArray(new byte[messageBytes]);
        return number -> {
            long claim = publisher.tryClaim(messageBytes);
            if (claim < 0) {
                return false;
            }
            long at = publisher.messageOffset(claim);
            if (messageBytes != SMALL_BYTES) {
                MemorySegment.copy(source, 0, memory, at, messageBytes);
                memory.set(LONG, at, number);
                memory.set(LONG, at + messageBytes - Long.BYTES, number);
            } else {
                for (int i = 0; i < SMALL_BYTES; i += Long.BYTES) {
                    memory.set(LONG, at + i, number);
                }
            }
            publisher.publish(claim);
            return true;
        };
    }

    @Override
    public Receiver receiver(int stream, int messageBytes) throws IOException {
        IpcSubscriber subscriber = channel(stream).newSubscriber("subscriber", Start.NEWEST);
        IpcWaiter waiter =
                subscriber.newWaiter(sleeping ? WaitStrategy.blocking(Duration.ofSeconds(1)) : WaitStrategy.busySpin());
        return new Receiver() {
            private long sum;

            @Override
            public int poll() {
                int count = subscriber.poll(
                        (memory, offset, length, _) ->
                                sum += memory.get(LONG, offset + 8) + memory.get(LONG, offset + length - Long.BYTES),
                        256);
                if (sleeping) {
                    waiter.idle(count);
                }
                return count;
            }

            @Override
            public long sum() {
                return sum;
            }
        };
    }

    @Override
    public void hold(int stream, int messageBytes) throws IOException {
        if (channel(stream).newPublisher("holder").tryClaim(messageBytes) < 0) {
            throw new IOException("there is no room to be held");
        }
    }

    @Override
    public void close() {
        channels.forEach(IpcChannel::close);
    }
}
