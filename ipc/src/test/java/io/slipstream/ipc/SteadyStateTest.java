package io.slipstream.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.FrameHandler;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Allocations;
import io.slipstream.testkit.Await;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a channel costs beside its messages: no garbage and no thread. */
class SteadyStateTest {
    private static final int MESSAGES = 100_000;

    @TempDir
    Path folder;

    private long sum;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void publishingAndPollingAllocateNothing(boolean many) throws Exception {
        try (IpcChannel channel =
                        IpcChannel.create(folder.resolve("a.ipc"), new ChannelSettings(8192, many, 4, false));
                IpcPublisher publisher = channel.newPublisher("p");
                IpcSubscriber subscriber = channel.newSubscriber("s", Start.NEWEST);
                IpcObserver observer = channel.newObserver("o", Start.NEWEST);
                IpcWaiter waiter = subscriber.newWaiter(WaitStrategy.parking())) {
            FrameHandler adder = (memory, offset, _, _) -> sum += memory.get(Channels.LONG, offset + 8);
            Allocations.none(() -> run(publisher, subscriber, observer, waiter, adder));
        }
    }

    private void run(
            IpcPublisher publisher,
            IpcSubscriber subscriber,
            IpcObserver observer,
            IpcWaiter waiter,
            FrameHandler handler) {
        for (int i = 0; i < MESSAGES; i++) {
            long claim = publisher.claim(16);
            publisher.memory().set(Channels.LONG, publisher.messageOffset(claim), i);
            publisher.publish(claim);
            waiter.idle(subscriber.poll(handler));
            observer.poll(handler);
        }
    }

    @Test
    void aChannelHasNoThread() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        try (IpcChannel channel = IpcChannel.create(folder.resolve("a.ipc"), ChannelSettings.manyPublishers(8192));
                IpcPublisher publisher = channel.newPublisher("p");
                IpcSubscriber subscriber = channel.newSubscriber("s", Start.NEWEST)) {
            Channels.publish(publisher, 1, 100);
            assertThat(Channels.drain(subscriber, 100)).hasSize(1);
            for (Thread thread : newThreads(before)) {
                // A file is opened on a thread that ends with that, since interrupts close files.
                Await.ended(thread);
            }
            assertThat(newThreads(before)).isEmpty();
        }
    }

    private static List<Thread> newThreads(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().contains("slipstream") && !before.contains(thread))
                .toList();
    }
}
