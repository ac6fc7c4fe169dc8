package io.slipstream.broker;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.frame.FrameHandler;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.ipc.ChannelSettings;
import io.slipstream.ipc.IpcChannel;
import io.slipstream.ipc.IpcPublisher;
import io.slipstream.ipc.IpcSubscriber;
import io.slipstream.ipc.IpcWaiter;
import io.slipstream.ipc.PartyKind;
import io.slipstream.ipc.Start;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** A channel in shared memory, which the sending side or the receiving one creates, whoever comes first. */
final class MemoryTransport {
    private static final int RING_BYTES = 1 << 20;
    private static final long LOOK_NANOS = 1_000_000;

    private MemoryTransport() {}

    private static IpcChannel channel(Path folder, String name) throws IOException {
        return IpcChannel.openOrCreate(
                folder.resolve(name + ".ipc"),
                ChannelSettings.onePublisher(RING_BYTES).keptWhenClosed());
    }

    static Transport sender(Path folder, String name) throws IOException {
        IpcChannel channel = channel(folder, name);
        IpcPublisher publisher = channel.newPublisher("sender", WaitStrategy.yielding());
        // A publisher without a subscriber waits for nobody: what it sent would be written over.
        while (channel.parties().stream().noneMatch(party -> party.kind() == PartyKind.SUBSCRIBER)) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return new Sender(channel, publisher);
    }

    static Transport receiver(Path folder, String name) throws IOException {
        IpcChannel channel = channel(folder, name);
        return new Receiver(channel, channel.newSubscriber("receiver", Start.OLDEST));
    }

    private record Sender(IpcChannel channel, IpcPublisher publisher) implements Transport {
        @Override
        public void send(ByteBuffer buffer) {
            long claim = publisher.claim(MESSAGE_BYTES);
            MemorySegment.copy(
                    MemorySegment.ofBuffer(buffer),
                    0,
                    publisher.memory(),
                    publisher.messageOffset(claim),
                    MESSAGE_BYTES);
            publisher.publish(claim);
        }

        @Override
        public void receive(Consumer consumer) {
            throw new UnsupportedOperationException("this side sends");
        }

        @Override
        public void close() {
            channel.close();
        }
    }

    private static final class Receiver implements Transport {
        private final IpcChannel channel;
        private final IpcSubscriber subscriber;
        private final IpcWaiter waiter;
        private final ByteBuffer memory;

        private Receiver(IpcChannel channel, IpcSubscriber subscriber) {
            this.channel = channel;
            this.subscriber = subscriber;
            this.waiter = subscriber.newWaiter(WaitStrategy.yielding());
            this.memory = channel.memory().asByteBuffer();
        }

        @Override
        public void send(ByteBuffer buffer) {
            throw new UnsupportedOperationException("this side receives");
        }

        @Override
        public void receive(Consumer consumer) throws IOException {
            FrameHandler handler = (_, offset, _, _) -> pass(consumer, (int) offset + Frame.HEADER_BYTES);
            int count;
            do {
                count = subscriber.poll(handler);
                waiter.idle(count);
            } while (count == 0);
        }

        private void pass(Consumer consumer, int at) {
            try {
                consumer.onMessage(memory, at);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            waiter.close();
            channel.close();
        }
    }
}
