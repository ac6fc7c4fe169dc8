package io.slipstream.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.replica.backup.BackupConfig;
import io.slipstream.replica.backup.BackupSite;
import io.slipstream.replica.backup.Promotion;
import io.slipstream.replica.primary.JournalPush;
import io.slipstream.replica.primary.PushConfig;
import io.slipstream.replica.primary.PushLevel;
import io.slipstream.replica.site.Role;
import io.slipstream.replica.site.Site;
import io.slipstream.replica.wire.Handshake;
import io.slipstream.replica.wire.Kind;
import io.slipstream.replica.wire.Link;
import io.slipstream.replica.wire.Token;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.host.Host;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** How a primary treats a slow, a narrow, an absent and a lying backup. */
class PushTest extends PairOfSites {
    private static final int PATIENCE_MILLIS = (int) Await.PATIENCE.toMillis();

    @Test
    void keepsItsConnectionWhateverTheBandwidthIs() throws Exception {
        Reasons reasons = new Reasons();
        try (BackupSite backup = backup()) {
            PushConfig narrow = push(address(backup.port()))
                    .withSilence(Duration.ofSeconds(3))
                    .withBandwidth(10_000);
            JournalPush push = new JournalPush(narrow.withEvents(reasons));
            try (Service service = Service.start(primary().withLogGate(push), new Sum());
                    ServiceClient client = TestClients.connect(service.port())) {
                send(client, 1, 1_000);
                Await.until("all is there", () -> push.lag() == 0);
            }
        }
        assertThat(reasons.into).isEmpty();
        assertPrefix();
    }

    /** A backup that applies what it has, or whose machine is busy, is not a silent one. */
    @Test
    void waitsForTheFirstAnswerLongerThanForTheOthers() throws Exception {
        ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        PushConfig brief = push(address(listener.getLocalPort())).withSilence(Duration.ofSeconds(1));
        CompletableFuture<Void> answered = Await.inBackground("backup", () -> {
            try (listener;
                    Link link = new Link(Host.system(), listener.accept(), PATIENCE_MILLIS)) {
                Handshake.accept(link, new Token(TOKEN), Host.system());
                // For two seconds the primary has nothing more to say, and does not go away.
                link.silence(2_000);
                assertThatThrownBy(() -> link.receive(Link.MAX_BYTES)).isInstanceOf(SocketTimeoutException.class);
                link.send(Kind.WELCOME, 1, 1, 0);
            }
        });
        try (Service service = Service.start(primary().withLogGate(new JournalPush(brief)), new Sum())) {
            Await.done(answered);
            assertThat(service.ended()).isNotDone();
        }
    }

    /** As the log of a key-value store may have it that was served with long values before. */
    @Test
    void doesNotBeginWithARecordThatIsTooLongForTheSites() throws Exception {
        JournalConfig config = JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 26);
        int length = Link.MAX_BYTES;
        MemorySegment record = MemorySegment.ofArray(new long[length / Long.BYTES]);
        try (BackupSite backup = backup();
                Journal journal = Journal.open(folder.resolve("primary"), config)) {
            for (int bytes : new int[] {64, length}) {
                JournalRecord.header(record, 0, bytes, (short) 1, (byte) 1, (byte) 0);
                journal.append(record, 0, bytes);
                journal.commit();
            }
            JournalPush push = new JournalPush(push(address(backup.port())));
            try {
                assertThatThrownBy(() -> push.open(journal, () -> {}))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("cannot have a backup site: record 2 has " + length + " bytes");
            } finally {
                push.close();
            }
        }
    }

    @Test
    void keepsARecordForABackupThatWasNeverThere() throws Exception {
        int port = Ports.free();
        JournalPush push = new JournalPush(push(address(port)).withStartAlone(true));
        try (Service service = Service.start(primary().withLogGate(push), new Sum());
                ServiceClient client = TestClients.connect(service.port())) {
            for (int i = 0; i < 4; i++) {
                send(client, 1, 3_000);
                service.snapshot().get();
            }
            send(client, 1, 10);
            try (BackupSite backup = BackupSite.start(secondary(), config(port), new Sum())) {
                Await.until("all is there", () -> push.isConnected() && push.lag() == 0);
                assertThat(backup.report().received()).isGreaterThan(12_000);
            }
        }
        assertPrefix();
    }

    @Test
    void answersNothingBecauseOfAnAcknowledgementOfWhatWasNotSent() throws Exception {
        Reasons reasons = new Reasons();
        try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> lie(listener));
            JournalPush push = new JournalPush(push(address(listener.getLocalPort()))
                    .withLevel(PushLevel.BACKUP)
                    .withEvents(reasons));
            // Its own first entry is what it pushes.
            Service service =
                    Service.start(primary().withLogGate(push).withDrainTime(Duration.ofMillis(10)), new Sum());
            try (service) {
                Await.until(
                        "the lie is known",
                        () -> reasons.into.stream().anyMatch(reason -> reason.contains("acknowledges record 1000000")));
                assertThat(push.acknowledgedSequence()).isZero();
                assertThat(push.passes(1)).isFalse();
            }
        }
    }

    /** Acknowledges what it never got. */
    private static void lie(ServerSocket listener) {
        while (true) {
            try (Link link = new Link(Host.system(), listener.accept(), PATIENCE_MILLIS)) {
                Handshake.accept(link, new Token(TOKEN), Host.system());
                link.send(Kind.WELCOME, 1, 1, 0);
                link.send(Kind.ACK, 1_000_000);
                link.receive(Link.MAX_BYTES);
                link.receive(Link.MAX_BYTES);
            } catch (IOException e) {
                if (listener.isClosed()) {
                    return;
                }
            }
        }
    }

    @Test
    void isNotFencedByASiteThatWasNeverItsBackup() throws Exception {
        try (BackupSite backup = backup()) {
            try (JournalPushed primary = pushed(backup, PushLevel.BACKUP)) {
                send(primary.client, 1, 10);
            }
            backup.promote();
            ServiceConfig other = ServiceConfig.in(folder.resolve("other"))
                    .withMaxResponseTime(Await.RESPONSE)
                    .withJournal(process());
            JournalPush push = new JournalPush(PushConfig.of(other.directory(), address(backup.port()), TOKEN));
            assertThatThrownBy(() -> Service.start(other.withLogGate(push), new Sum()))
                    .hasMessageContaining("belongs to another journal");
            assertThat(Site.read(Host.system(), other.directory()).role()).isEqualTo(Role.NONE);
        }
    }

    @Test
    void remembersWhatItHadWhenItWasPromoted() throws Exception {
        Promotion promotion;
        try (BackupSite backup = backup()) {
            try (JournalPushed primary = pushed(backup, PushLevel.BACKUP)) {
                send(primary.client, 1, 10);
            }
            promotion = backup.promote();
        }
        try (BackupSite again = backup()) {
            assertThat(again.promote()).isEqualTo(promotion);
            assertThat(again.report().received())
                    .isEqualTo(promotion.sequence())
                    .isGreaterThan(10);
            assertThatThrownBy(() -> pushed(again, PushLevel.ASYNC))
                    .hasMessageContaining("with record " + promotion.sequence() + " as its last");
        }
    }

    @Test
    void alertsWhenTheBackupIsAwayForLong() throws Exception {
        Reasons reasons = new Reasons();
        BackupSite backup = backup();
        JournalPush push =
                new JournalPush(push(address(backup.port())).withEvents(reasons).withAlert(5, Duration.ofMillis(1)));
        try (Service service = Service.start(primary().withLogGate(push), new Sum());
                ServiceClient client = TestClients.connect(service.port())) {
            send(client, 1, 10);
            Await.until("all is there", () -> push.lag() == 0);
            backup.close();
            send(client, 11, 20);
            Await.until("it was told", () -> !reasons.alerts.isEmpty() && push.alerts() > 0);
            try (BackupSite back = BackupSite.start(secondary(), config(backup.port()), new Sum())) {
                Await.until("it has caught up", () -> push.lag() == 0 && push.isConnected());
                assertThat(back.report().connected()).isTrue();
            }
        }
        assertPrefix();
    }

    @Test
    void acknowledgesACatchUpThatKeepsTheSocketFull() throws Exception {
        try (Service service = Service.start(primary(), new Sum());
                ServiceClient client = TestClients.connect(service.port())) {
            send(client, 1, 2_000);
        }
        try (BackupSite backup = backup();
                Journal journal = Journal.open(folder.resolve("primary"), process());
                Link link = new Link(Host.system(), HoldingBackSocket.connect(backup.port()), PATIENCE_MILLIS)) {
            greet(link, journal);
            link.send(Kind.PING, 0);
            assertThat(link.receive(100)).isEqualTo(Kind.WELCOME);
            OneByOne records = new OneByOne(journal);
            records.sendNext(link);
            assertThat(link.receive(100)).as("of the PING").isEqualTo(Kind.ACK);
            CompletableFuture<Long> answer = CompletableFuture.supplyAsync(() -> acknowledged(link));
            while (!answer.isDone() && records.sendNext(link)) {
                LockSupport.parkNanos(200_000);
            }
            assertThat(answer).isCompletedWithValueMatching(sequence -> sequence > 0);
        }
    }

    /** What a backup says to have when a connection begins counts as acknowledged. */
    @Test
    void forcesWhatALostConnectionHasBroughtBeforeItWelcomesTheNextOne() throws Exception {
        try (Service service = Service.start(primary(), new Sum());
                ServiceClient client = TestClients.connect(service.port())) {
            send(client, 1, 10);
        }
        try (BackupSite backup = backup();
                Journal journal = Journal.open(folder.resolve("primary"), process());
                Link lost = new Link(Host.system(), HoldingBackSocket.connect(backup.port()), PATIENCE_MILLIS);
                Link next = new Link(
                        Host.system(), new Socket(InetAddress.getLoopbackAddress(), backup.port()), PATIENCE_MILLIS)) {
            greet(lost, journal);
            lost.send(Kind.PING, 0);
            assertThat(lost.receive(100)).isEqualTo(Kind.WELCOME);
            OneByOne records = new OneByOne(journal);
            assertThat(records.sendNext(lost) && records.sendNext(lost)).isTrue();
            Await.until("the first has come", () -> backup.report().received() == 1);
            greet(next, journal);
            assertThat(next.receive(100)).isEqualTo(Kind.WELCOME);
            Await.until("it is durable", () -> backup.report().applied() == 1);
        }
    }

    private static void greet(Link link, Journal journal) throws IOException {
        Handshake.open(
                link,
                new Token(TOKEN),
                Kind.HELLO,
                Link.buffer(40)
                        .putLong(journal.id().getMostSignificantBits())
                        .putLong(journal.id().getLeastSignificantBits())
                        .putLong(1)
                        .putLong(1)
                        .putLong(journal.nextSequence() - 1)
                        .flip());
    }

    /** Waits until a record is acknowledged. */
    private static long acknowledged(Link link) {
        try {
            long sequence = 0;
            while (sequence == 0) {
                assertThat(link.receive(100)).isEqualTo(Kind.ACK);
                sequence = link.number();
            }
            return sequence;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void refusesASilenceThatNoPrimaryCouldKeep() {
        assertThatThrownBy(() -> push(address(1)).withConnectTimeout(Duration.ofMillis(999)))
                .hasMessageContaining("1 second to 10 minutes");
        assertThatThrownBy(() -> push(address(1)).withSilence(Duration.ofMillis(999)))
                .hasMessageContaining("1 second to 10 minutes");
        assertThatThrownBy(() -> BackupConfig.of(address(1), TOKEN).withSilence(Duration.ofMillis(999)))
                .hasMessageContaining("1 second to 10 minutes");
    }
}
