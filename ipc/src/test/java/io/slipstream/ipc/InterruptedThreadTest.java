package io.slipstream.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.thread.WaitStrategy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An interrupted thread makes, uses and leaves channels as any other does, and stays interrupted. */
class InterruptedThreadTest {
    private static final int MOST = 100;

    @TempDir
    Path temp;

    @BeforeEach
    void interrupt() {
        Thread.currentThread().interrupt();
    }

    @AfterEach
    void clear() {
        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void doesAllThatAnotherDoes(boolean manyPublishers) throws Exception {
        Path file = temp.resolve("channel");
        ChannelSettings settings = new ChannelSettings(1 << 16, manyPublishers, 4, true);
        IpcChannel.create(file, settings).close();
        try (IpcChannel channel = IpcChannel.openOrCreate(file, settings);
                IpcChannel again = IpcChannel.open(file);
                IpcSubscriber subscriber = channel.newSubscriber("subscriber", Start.NEWEST);
                IpcObserver observer = again.newObserver("observer", Start.NEWEST, Duration.ofMillis(1));
                IpcPublisher publisher = channel.newPublisher("publisher", WaitStrategy.parking());
                IpcWaiter waiter = subscriber.newWaiter(WaitStrategy.parking())) {
            for (long number = 0; number < 1_000; number++) {
                Channels.publish(publisher, number, MOST);
                publisher.abort(publisher.tryClaim(8, Duration.ofMillis(1)));
                assertThat(Channels.drain(subscriber, MOST)).isEqualTo(List.of(number));
                assertThat(Channels.drain(observer, MOST)).isEqualTo(List.of(number));
                waiter.idle(1);
            }
            waiter.idle(0);
            assertThat(observer.missedBytes()).isZero();
            assertThat(channel.parties()).hasSize(3);
            assertThat(channel.buryDead()).isZero();
            assertThat(again.tail()).isEqualTo(channel.tail());
        }
        IpcChannel.removeUnused(file);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void waitsForRoomOnlyAsLongAsItMay(boolean manyPublishers) throws Exception {
        ChannelSettings settings =
                manyPublishers ? ChannelSettings.manyPublishers(1 << 16) : ChannelSettings.onePublisher(1 << 16);
        try (IpcChannel channel = IpcChannel.create(temp.resolve("channel"), settings);
                IpcSubscriber subscriber = channel.newSubscriber("subscriber", Start.NEWEST);
                IpcPublisher publisher = channel.newPublisher("publisher", WaitStrategy.parking())) {
            long number = 0;
            while (Channels.tryPublish(publisher, number, MOST)) {
                number++;
            }
            assertThat(publisher.tryClaim(MOST, Duration.ofMillis(1))).isEqualTo(IpcPublisher.NO_ROOM);
            assertThat(Channels.drain(subscriber, MOST)).hasSize((int) number);
        }
    }
}
