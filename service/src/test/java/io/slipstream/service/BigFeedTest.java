package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.FeedHandler;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.Hello;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Subscription;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Subscribers that are slower than what a topic has for them: they are slow, and nothing else. */
class BigFeedTest {
    private static final long TOPIC = 7;
    private static final int ITEM_BYTES = 16 << 10;

    /* More than the sockets between them take, and far more than a client may leave unread. */
    private static final int ITEMS = 1500;
    private static final int MAX_UNREAD = 1 << 20;

    @TempDir
    Path directory;

    @Test
    void aSnapshotIsReadAsSlowlyAsItsReaderLikes() throws Exception {
        try (Service service = start(1 << 20);
                ServiceClient client = TestClients.connect(service.port())) {
            Slow slow = new Slow();
            CompletableFuture<Void> live = client.subscribe(Big.SNAPSHOT, slow).started();
            Await.until("much of it is unread", () -> service.connectionBytes() > 4 * MAX_UNREAD);
            try (ServiceClient other = TestClients.connect(service.port())) {
                other.call(payload(1));
            }
            slow.mayRead.countDown();
            Await.done(live);
            assertThat(slow.snapshots).isEqualTo(1);
            assertThat(slow.parts).isEqualTo(ITEMS);
        }
    }

    @Test
    void theFirstItemsOfATopicFollowASnapshotThatIsStillBeingReadAndItComesOnce() throws Exception {
        int items = 100;
        try (Service service = start(1 << 26, new Big(Big.SNAPSHOT));
                ServiceClient client = TestClients.connect(service.port())) {
            Slow slow = new Slow();
            CompletableFuture<Void> live = client.subscribe(Big.SNAPSHOT, slow).started();
            Await.until("much of it is unread", () -> service.connectionBytes() > 4 * MAX_UNREAD);
            try (ServiceClient other = TestClients.connect(service.port())) {
                for (int i = 0; i < items; i++) {
                    other.call(payload(i));
                }
            }
            slow.mayRead.countDown();
            Await.done(live);
            Await.until("all items have come", () -> slow.items == items);
            assertThat(slow.snapshots).isEqualTo(1);
            assertThat(slow.parts).isEqualTo(ITEMS);
        }
    }

    /** What it has missed is sent later, or is no longer kept, so that it gets a snapshot. */
    @ParameterizedTest
    @CsvSource({"4096, true", "67108864, true", "4096, false", "67108864, false"})
    void whoeverFallsBehindGetsNothingUntilItHasCaughtUpAndIsNotCut(int feedBytes, boolean hasItem) throws Exception {
        boolean kept = feedBytes > 1 << 20;
        try (Service service = start(feedBytes);
                ServiceClient writer = TestClients.connect(service.port());
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
            socket.setSoTimeout((int) Await.PATIENCE.toMillis());
            if (hasItem) {
                writer.call(payload(0));
            }
            byte[] hello = RawFrames.hello(99);
            Hello.revision(MemorySegment.ofArray(hello), 0, 1);
            RawFrames.send(socket, hello);
            assertThat(Message.type(RawFrames.receive(socket), 0)).isEqualTo(MessageType.WELCOME);
            RawFrames.send(socket, subscribe());
            MemorySegment subscribed = RawFrames.receive(socket);
            assertThat(Message.type(subscribed, 0)).isEqualTo(MessageType.SUBSCRIBED);
            CompletableFuture<Reply> last = CompletableFuture.completedFuture(null);
            for (int i = 1; i <= ITEMS; i++) {
                last = writer.send(payload(i));
            }
            Await.done(last);
            int items = 0;
            int renewed = 0;
            long place = Subscription.sequence(subscribed, 0);
            while (renewed == 0 || place < Await.done(last).sequence()) {
                MemorySegment next = RawFrames.receive(socket);
                if (Message.type(next, 0) == MessageType.SUBSCRIBED) {
                    assertThat(Message.correlation(next, 0)).isZero();
                    assertThat(Subscription.mode(next, 0))
                            .isEqualTo(kept ? Subscription.RESUMED : Subscription.SNAPSHOT);
                    place = Math.max(place, Subscription.sequence(next, 0));
                    renewed++;
                } else {
                    assertThat(Message.type(next, 0)).isEqualTo(MessageType.ITEM);
                    assertThat(Message.sequence(next, 0)).isGreaterThan(place);
                    place = Message.sequence(next, 0);
                    items++;
                }
            }
            if (kept) {
                assertThat(items).isEqualTo(ITEMS);
            } else {
                assertThat(items).isLessThan(ITEMS);
            }
        }
    }

    private static byte[] subscribe() {
        byte[] bytes =
                RawFrames.frame(MessageType.SUBSCRIBE, Subscription.BYTES, Message.HEADER_BYTES + Subscription.BYTES);
        Subscription.encodePayload(MemorySegment.ofArray(bytes), 0, TOPIC, 0, 0, 0);
        assertThat(bytes).hasSize(Frame.align(Message.HEADER_BYTES + Subscription.BYTES));
        return bytes;
    }

    private Service start(int feedBytes) throws IOException {
        return start(feedBytes, new Big(TOPIC));
    }

    private Service start(int feedBytes, Big machine) throws IOException {
        return Service.start(
                ServiceConfig.in(directory)
                        .withLimits(limits -> limits.withFeedBytes(feedBytes)
                                .withClients(16, 16, 4096)
                                .withMaxUnreadBytes(MAX_UNREAD))
                        .withMaxResponseTime(Duration.ofMinutes(1))
                        .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 18)),
                machine);
    }

    /** Publishes a long item of one topic for each command, and has a snapshot that is long. */
    private static final class Big implements StateMachine {
        static final long SNAPSHOT = 8;

        private final MemorySegment item = MemorySegment.ofArray(new long[ITEM_BYTES / Long.BYTES]);
        private final long itemTopic;
        private long count;

        Big(long itemTopic) {
            this.itemTopic = itemTopic;
        }

        @Override
        public void onCommand(Request command, Output output) {
            count++;
            output.publish(itemTopic, item, 0, ITEM_BYTES);
        }

        @Override
        public void onSubscribe(long topic, Request command, Output output) {
            for (int i = 0; topic == SNAPSHOT && i < ITEMS; i++) {
                output.publish(topic, item, 0, ITEM_BYTES);
            }
        }

        @Override
        public long stateHash() {
            return count;
        }
    }

    /** Reads nothing behind the first part before it may. */
    private static final class Slow implements FeedHandler {
        private final CountDownLatch mayRead = new CountDownLatch(1);
        private volatile int snapshots;
        private volatile int parts;
        private volatile long items;
        private long place;

        @Override
        public void onSnapshot() {
            snapshots++;
            parts = 0;
        }

        @Override
        public void onSnapshotItem(MemorySegment memory, long offset, int length) {
            try {
                mayRead.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            parts++;
        }

        @Override
        public void onItem(long sequence, int index, MemorySegment memory, long offset, int length) {
            assertThat(sequence).isGreaterThan(place);
            place = sequence;
            items++;
        }
    }
}
