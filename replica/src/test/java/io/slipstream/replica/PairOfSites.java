package io.slipstream.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.replica.backup.BackupConfig;
import io.slipstream.replica.backup.BackupSite;
import io.slipstream.replica.primary.JournalPush;
import io.slipstream.replica.primary.PushConfig;
import io.slipstream.replica.primary.PushEvents;
import io.slipstream.replica.primary.PushLevel;
import io.slipstream.replica.wire.RecordSum;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.io.TempDir;

/** A primary and its backup in one folder, at the level PROCESS, with small segments. */
abstract class PairOfSites {
    static final String TOKEN = "a token of both";

    /** For whatever is not to end on a busy machine, and ends tests only by a defect. */
    static final Duration LONG = Await.PATIENCE;

    @TempDir
    Path folder;

    /** All records of the backup are, one by one, those of the primary. */
    void assertPrefix() throws IOException {
        List<Long> primary = sums(folder.resolve("primary"));
        List<Long> backup = sums(folder.resolve("backup"));
        assertThat(backup.size()).isLessThanOrEqualTo(primary.size()).isPositive();
        assertThat(backup).isEqualTo(primary.subList(0, backup.size()));
    }

    static List<Long> sums(Path journal) throws IOException {
        List<Long> sums = new ArrayList<>();
        RecordSum sum = new RecordSum();
        try (Journal open = Journal.open(journal, process())) {
            open.read(1, (memory, offset, length) -> {
                assertThat(JournalRecord.sequence(memory, offset)).isEqualTo(sums.size() + 1L);
                assertThat(Frame.length(memory, offset)).isEqualTo(length);
                sums.add(sum.of(memory, offset, length));
            });
        }
        return sums;
    }

    static void send(ServiceClient client, int from, int to) throws Exception {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (int i = from; i <= to; i++) {
            replies.add(client.send(Sum.bytes(i)));
        }
        for (CompletableFuture<Reply> reply : replies) {
            Await.done(reply);
        }
    }

    BackupSite backup() throws IOException {
        return BackupSite.start(secondary(), config(0), new Sum());
    }

    JournalPushed pushed(BackupSite backup, PushLevel level) throws IOException {
        return new JournalPushed(new JournalPush(push(address(backup.port())).withLevel(level)));
    }

    PushConfig push(InetSocketAddress to) {
        return PushConfig.of(folder.resolve("primary"), to, TOKEN)
                .withConnectTimeout(LONG)
                .withSilence(LONG);
    }

    ServiceConfig primary() {
        return ServiceConfig.in(folder.resolve("primary"))
                .withJournal(process())
                .withMaxResponseTime(LONG);
    }

    ServiceConfig secondary() {
        return ServiceConfig.in(folder.resolve("backup")).withJournal(process());
    }

    static JournalConfig process() {
        return JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 17);
    }

    static BackupConfig config(int port) {
        return BackupConfig.of(address(port), TOKEN).withSilence(LONG);
    }

    static InetSocketAddress address(int port) {
        return new InetSocketAddress("127.0.0.1", port);
    }

    /** Collects why the backup was lost. */
    static final class Reasons implements PushEvents {
        final Queue<String> into = new ConcurrentLinkedQueue<>();
        final Queue<Long> alerts = new ConcurrentLinkedQueue<>();

        @Override
        public void onConnected(String backup, long sequence) {
            // It is about the other end.
        }

        @Override
        public void onDisconnected(String backup, Throwable reason) {
            into.add(String.valueOf(reason.getMessage()));
        }

        @Override
        public void onLag(long records, Duration since) {
            alerts.add(records);
        }
    }

    /** A primary that pushes, and a client of it. */
    final class JournalPushed implements AutoCloseable {
        final JournalPush push;
        final Service service;
        final ServiceClient client;

        JournalPushed(JournalPush push) throws IOException {
            this.push = push;
            this.service = Service.start(primary().withLogGate(push), new Sum());
            this.client = TestClients.connect(service.port());
        }

        @Override
        public void close() {
            end();
        }

        void end() {
            client.disconnect();
            service.close();
        }
    }
}
