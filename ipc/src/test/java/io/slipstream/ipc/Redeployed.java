package io.slipstream.ipc;

import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.Opened;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** A program in a container: both ends of a channel, which it closes without the end of the process. */
public final class Redeployed {
    private static final int MESSAGES = 100;

    private Redeployed() {}

    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[0], "redeployed.ipc");
        try (Opened opened = new Opened()) {
            IpcChannel written = opened.add(IpcChannel.openOrCreate(file, ChannelSettings.manyPublishers(1 << 16)));
            IpcChannel read = opened.add(IpcChannel.open(file));
            IpcSubscriber subscriber = opened.add(read.newSubscriber("reader", Start.NEWEST));
            IpcWaiter waiter = opened.add(subscriber.newWaiter(WaitStrategy.parking()));
            IpcPublisher publisher = opened.add(written.newPublisher("writer"));
            AtomicInteger seen = new AtomicInteger();
            Thread reader = Thread.ofPlatform().name("redeployed-reader").start(() -> {
                while (seen.get() < MESSAGES) {
                    waiter.idle(subscriber.poll((memory, offset, length, endOfBatch) -> seen.incrementAndGet()));
                }
            });
            for (int i = 0; i < MESSAGES; i++) {
                publisher.publish(publisher.claim(Long.BYTES));
            }
            Await.ended(reader);
        }
    }
}
