package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.Feed;
import io.slipstream.service.client.FeedHandler;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.CuttingProxy;
import io.slipstream.testkit.Ports;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients subscribe to a topic: first what is there, then each item once, whatever happens to the connection. */
class FeedTest {
    @TempDir
    Path directory;

    @Test
    void bringsWhatIsThereAndThenEachItem() throws Exception {
        try (Service service = start(1 << 20);
                ServiceClient client = connect(service.port())) {
            client.call(payload(5));
            Sum sum = new Sum();
            Await.done(client.subscribe(FeedMachine.TOPIC, sum).started());
            client.call(payload(6));
            client.call(payload(7));
            sum.await(3, 18);
            assertThat(sum.snapshots).isEqualTo(1);
            assertThat(sum.items).isEqualTo(2);
        }
    }

    @Test
    void goesOnBehindThePlaceThatAnEarlierClientHasSeen() throws Exception {
        try (Service service = start(1 << 20)) {
            Sum sum = new Sum();
            try (ServiceClient client = connect(service.port())) {
                Await.done(client.subscribe(FeedMachine.TOPIC, sum).started());
                client.call(payload(5));
                sum.await(1, 5);
            }
            try (ServiceClient client = connect(service.port())) {
                client.call(payload(6));
                Await.done(client.subscribe(FeedMachine.TOPIC, sum.sequence, sum.index, sum)
                        .started());
                sum.await(2, 11);
            }
            assertThat(sum.snapshots).isEqualTo(1);
        }
    }

    @Test
    void bringsANewSnapshotIfWhatWasMissedIsNoLongerKept() throws Exception {
        try (Service service = start(4096)) {
            Sum sum = new Sum();
            try (ServiceClient client = connect(service.port())) {
                Await.done(client.subscribe(FeedMachine.TOPIC, sum).started());
                client.call(payload(5));
                sum.await(1, 5);
            }
            try (ServiceClient client = connect(service.port())) {
                for (int i = 0; i < 100; i++) {
                    client.call(payload(1));
                }
                Await.done(client.subscribe(FeedMachine.TOPIC, sum.sequence, sum.index, sum)
                        .started());
                sum.await(101, 105);
            }
            assertThat(sum.snapshots).isEqualTo(2);
        }
    }

    @Test
    void bringsASnapshotToOneThatHasSeenAPlaceBeyondTheLog() throws Exception {
        try (Service service = start(1 << 20);
                ServiceClient client = connect(service.port())) {
            client.call(payload(5));
            Sum sum = new Sum();
            Await.done(client.subscribe(FeedMachine.TOPIC, 999_999, 0, sum).started());
            client.call(payload(6));
            sum.await(2, 11);
            assertThat(sum.snapshots).isEqualTo(1);
        }
    }

    @Test
    void missesNothingAndRepeatsNothingWhileTheConnectionIsCutAgainAndAgain() throws Exception {
        try (Service service = start(1 << 20);
                CuttingProxy proxy = new CuttingProxy(service.port(), 3_000, 42);
                ServiceClient writer = connect(service.port());
                ServiceClient reader = connect(proxy.port())) {
            Sum sum = new Sum();
            reader.subscribe(FeedMachine.TOPIC, sum);
            long total = 0;
            int count = 0;
            while (proxy.cuts() < 30) {
                writer.call(payload(++count));
                total += count;
            }
            // On a busy machine much is left to be brought, and little goes through before each cut.
            proxy.beGood();
            sum.await(count, total);
            assertThat(sum.snapshots).isLessThan(30);
        }
    }

    @Test
    void missesNothingWhenTheServiceIsKilledAndComesBack() throws Exception {
        int port = Ports.free();
        Process process = KillTarget.start(directory, port, Durability.SYNC.name(), "feed");
        Sum sum = new Sum();
        try (ServiceClient client = connect(port)) {
            // So that there is a place to go on from, however soon the first kill comes.
            client.call(payload(0));
            Await.done(client.subscribe(FeedMachine.TOPIC, sum).started());
            long total = 0;
            int count = 1;
            for (int kill = 0; kill < 3; kill++) {
                CompletableFuture<?> last = CompletableFuture.completedFuture(null);
                for (int i = 0; i < 100; i++) {
                    last = client.send(payload(count));
                    total += count++;
                }
                process.destroyForcibly().waitFor();
                process = KillTarget.start(directory, port, Durability.SYNC.name(), "feed");
                Await.done(last);
            }
            sum.await(count, total);
            assertThat(sum.snapshots).isEqualTo(1);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void endsAFeedThatTheMachineRefusesAndNotTheOthers() throws Exception {
        try (Service service = start(1 << 20);
                ServiceClient client = connect(service.port())) {
            Sum sum = new Sum();
            Feed refused = client.subscribe(FeedMachine.FORBIDDEN, new Sum());
            assertThatThrownBy(() -> Await.done(refused.started()))
                    .cause()
                    .isInstanceOf(ServiceException.class)
                    .hasMessageContaining("nobody may read this");
            Await.done(client.subscribe(FeedMachine.TOPIC, sum).started());
            client.call(payload(5));
            sum.await(1, 5);
        }
    }

    @Test
    void bringsNothingMoreAfterItWasClosedAndCanBeginAnew() throws Exception {
        try (Service service = start(1 << 20);
                ServiceClient client = connect(service.port())) {
            Sum first = new Sum();
            Feed feed = client.subscribe(FeedMachine.TOPIC, first);
            Await.done(feed.started());
            feed.close();
            Sum second = new Sum();
            Await.done(client.subscribe(FeedMachine.TOPIC, second).started());
            client.call(payload(5));
            second.await(1, 5);
            assertThat(first.items).isZero();
        }
    }

    @Test
    void saysThatAFeedHasEndedWithItsClient() throws Exception {
        try (Service service = start(1 << 20)) {
            Sum sum = new Sum();
            ServiceClient client = connect(service.port());
            Await.done(client.subscribe(FeedMachine.TOPIC, sum).started());
            client.close();
            assertThat(sum.end).isNotNull();
            assertThatThrownBy(() -> client.subscribe(FeedMachine.TOPIC, sum)).isInstanceOf(ServiceException.class);
        }
    }

    private Service start(int feedBytes) throws IOException {
        return Service.start(
                ServiceConfig.in(directory)
                        .withMaxResponseTime(Await.RESPONSE)
                        .withLimits(limits -> limits.withFeedBytes(feedBytes))
                        .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 18)),
                new FeedMachine());
    }

    private static ServiceClient connect(int port) throws IOException {
        return TestClients.connect(port);
    }

    /** Counts and sums up. */
    private static final class Sum implements FeedHandler {
        private volatile long sum;
        private volatile long count;
        private volatile int snapshots;
        private volatile int items;
        private volatile ServiceException end;
        private volatile long sequence;
        private volatile int index;

        @Override
        public void onSnapshot() {
            snapshots++;
            sum = 0;
            count = 0;
        }

        @Override
        public void onSnapshotItem(MemorySegment memory, long offset, int length) {
            count = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
            sum = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + 8);
        }

        @Override
        public void onItem(long itemSequence, int itemIndex, MemorySegment memory, long offset, int length) {
            items++;
            sequence = itemSequence;
            index = itemIndex;
            sum += memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
            count++;
        }

        @Override
        public void onEnd(ServiceException why) {
            end = why;
        }

        void await(long expectedCount, long expectedSum) throws Exception {
            Await.value(
                    "it comes to " + expectedCount + " and " + expectedSum,
                    () -> List.of(count, sum),
                    seen -> seen.getFirst() >= expectedCount && seen.getLast() >= expectedSum);
            assertThat(count).isEqualTo(expectedCount);
            assertThat(sum).isEqualTo(expectedSum);
        }
    }
}
