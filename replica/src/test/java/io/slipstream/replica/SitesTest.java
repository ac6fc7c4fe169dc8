package io.slipstream.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.Journal;
import io.slipstream.replica.backup.BackupConfig;
import io.slipstream.replica.backup.BackupSite;
import io.slipstream.replica.backup.Promotion;
import io.slipstream.replica.backup.SiteClient;
import io.slipstream.replica.primary.JournalPush;
import io.slipstream.replica.primary.PushConfig;
import io.slipstream.replica.primary.PushLevel;
import io.slipstream.replica.site.FencedException;
import io.slipstream.replica.site.Role;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.logic.WrongLogException;
import io.slipstream.service.machine.CommandSchema;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.SchemaFile;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.CuttingProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class SitesTest extends PairOfSites {
    @Test
    void catchesUpFromTheBeginningFollowsAndAnswersQueries() throws Exception {
        try (Service alone = Service.start(primary(), new Sum());
                ServiceClient client = TestClients.connect(alone.port())) {
            send(client, 1, 1_000);
        }
        try (BackupSite backup = backup();
                JournalPushed primary = pushed(backup, PushLevel.ASYNC)) {
            send(primary.client, 1_001, 2_000);
            Await.until("all is there", () -> primary.push.lag() == 0);
            SiteClient asks = new SiteClient(config(backup.port()));
            Await.until(
                    "all is applied",
                    () -> asks.status().applied() == asks.status().received());
            assertThat(asks.status().stateHash())
                    .isEqualTo(primary.client.status().stateHash());
            assertThat(asks.status().role()).isEqualTo(Role.BACKUP);
            assertThat(Sum.number(asks.query(new byte[0]).payload())).isEqualTo(2_000L * 2_001 / 2);
        }
        assertPrefix();
    }

    @Test
    void keepsWhatWasAnsweredAtLevelBackupAndFencesTheFormerPrimary() throws Exception {
        BackupSite backup = backup();
        try (backup) {
            long answered;
            try (JournalPushed primary = pushed(backup, PushLevel.BACKUP)) {
                send(primary.client, 1, 3_000);
                answered = primary.client.status().sequence();
                Promotion promotion = new SiteClient(config(backup.port())).promote();
                assertThat(promotion.term()).isEqualTo(2);
                assertThat(promotion.sequence()).isGreaterThanOrEqualTo(answered);
                assertThatThrownBy(() -> Await.done(primary.service.ended()))
                        .hasRootCauseInstanceOf(FencedException.class)
                        .hasMessageContaining("term 2");
            }
            assertThatThrownBy(() -> pushed(backup, PushLevel.BACKUP)).isInstanceOf(FencedException.class);
            assertThatThrownBy(() -> Service.start(primary(), new Sum())).hasMessageContaining("was promoted");
            try (Service next = Service.start(secondary(), new Sum());
                    ServiceClient client = TestClients.connect(next.port())) {
                assertThat(Sum.number(client.query(new byte[1]).payload())).isEqualTo(3_000);
                assertThat(client.status().replayed()).isZero();
                send(client, 3_001, 3_001);
            }
        }
        try (BackupSite again = backup()) {
            assertThat(again.report().role()).isEqualTo(Role.PROMOTED);
        }
    }

    @Test
    void aBackupThatIsPromotedBeforeItHasHeardOfItsPrimaryFencesIt() throws Exception {
        try (BackupSite backup = backup()) {
            assertThat(backup.promote().term()).isEqualTo(2);
            assertThatThrownBy(() -> pushed(backup, PushLevel.ASYNC)).isInstanceOf(FencedException.class);
        }
        assertThatThrownBy(() -> Service.start(primary(), new Sum())).hasMessageContaining("was promoted");
    }

    @Test
    void answersNoCommandAtLevelBackupWhileTheBackupIsAway() throws Exception {
        BackupSite backup = backup();
        try (JournalPushed primary = pushed(backup, PushLevel.BACKUP)) {
            send(primary.client, 1, 10);
            int port = backup.port();
            backup.close();
            CompletableFuture<Reply> held = primary.client.send(Sum.bytes(11));
            Await.until("it is in the journal", () -> primary.push.lag() > 0);
            assertThat(held).isNotDone();
            try (BackupSite back = BackupSite.start(secondary(), config(port), new Sum())) {
                assertThat(Sum.number(Await.done(held).payload())).isEqualTo(66);
                assertThat(back.report().received()).isGreaterThan(10);
                // While there is a backup: the last entries wait for it, too.
                primary.end();
            }
        }
        assertPrefix();
    }

    @Test
    void isAnExactPrefixThroughCutsAndFlippedBits() throws Exception {
        try (BackupSite backup = backup();
                CuttingProxy network = new CuttingProxy(backup.port(), 10_000, 7).damagingOneOf(3)) {
            Service service;
            JournalPush push = new JournalPush(push(network.address()).withStartAlone(true));
            service = Service.start(primary().withLogGate(push), new Sum());
            try (service;
                    ServiceClient client = TestClients.connect(service.port())) {
                for (int i = 0; i < 20; i++) {
                    send(client, 1, 500);
                }
                Await.until("it was cut often", () -> network.connections() > 20 || push.lag() == 0);
                network.beGood();
                Await.until("it has caught up", () -> push.lag() == 0 && push.isConnected());
            }
            assertThat(network.connections()).isGreaterThan(5);
        }
        assertPrefix();
    }

    @Test
    void saysWhyTheBackupHasStopped() throws Exception {
        Reasons reasons = new Reasons();
        try (BackupSite backup = backup();
                CuttingProxy network = new CuttingProxy(backup.port(), 1, 1)) {
            network.beGood();
            JournalPush push = new JournalPush(push(network.address()).withEvents(reasons));
            try (Service service = Service.start(primary().withLogGate(push), new Sum());
                    ServiceClient client = TestClients.connect(service.port())) {
                send(client, 1, 100);
                Await.until("all is there", () -> push.lag() == 0);
                network.damageNext();
                send(client, 101, 200);
                Await.until("it was told", () -> !reasons.into.isEmpty());
                assertThat(reasons.into.peek()).contains("the backup site stops");
                Await.until("it has caught up", () -> push.lag() == 0 && push.isConnected());
            }
        }
        assertPrefix();
    }

    @Test
    void letsNobodyInWhoDoesNotKnowTheTokenAndSurvivesHostileBytes() throws Exception {
        try (BackupSite backup = backup();
                JournalPushed primary = pushed(backup, PushLevel.BACKUP)) {
            assertThatThrownBy(() -> new SiteClient(BackupConfig.of(address(backup.port()), "another token")).promote())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("token is wrong");
            Random random = new Random(3);
            for (int i = 0; i < 200; i++) {
                byte[] bytes = new byte[random.nextInt(200)];
                random.nextBytes(bytes);
                if (bytes.length > 12 && i % 2 == 0) {
                    bytes[1] = bytes[2] = bytes[3] = 0;
                }
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), backup.port())) {
                    socket.getOutputStream().write(bytes);
                    socket.shutdownOutput();
                    if (i % 10 == 0) {
                        socket.getInputStream().readAllBytes();
                    }
                } catch (IOException e) {
                    // It has closed the connection.
                }
                if (i % 20 == 0) {
                    send(primary.client, 1, 5);
                }
            }
            assertThat(backup.report().role()).isEqualTo(Role.BACKUP);
        }
        assertPrefix();
    }

    @Test
    void letsTwoPromoteItAtTheSameTime() throws Exception {
        try (BackupSite backup = backup()) {
            try (JournalPushed primary = pushed(backup, PushLevel.BACKUP)) {
                send(primary.client, 1, 100);
            }
            CompletableFuture<Promotion> other = new CompletableFuture<>();
            Thread.ofPlatform().start(() -> {
                try {
                    other.complete(backup.promote());
                } catch (IOException e) {
                    other.completeExceptionally(e);
                }
            });
            Promotion first = backup.promote();
            // Whichever was first: the folder is free for a service.
            Journal.open(folder.resolve("backup"), process()).close();
            assertThat(Await.done(other)).isEqualTo(first);
            assertThat(Await.done(backup.promoted())).isEqualTo(first);
        }
    }

    @Test
    void endsAndSaysWhatItLeavesIfTheBackupIsAway() throws Exception {
        BackupSite backup = backup();
        JournalPush push = new JournalPush(push(address(backup.port())).withLevel(PushLevel.BACKUP));
        Service service = Service.start(primary().withLogGate(push).withDrainTime(Duration.ofMillis(50)), new Sum());
        ServiceClient client = TestClients.connect(service.port());
        send(client, 1, 10);
        backup.close();
        CompletableFuture<Reply> held = client.send(Sum.bytes(11));
        Await.until("it is in the journal", () -> push.lag() > 0);
        service.close();
        assertThatThrownBy(() -> Await.done(service.ended()))
                .hasMessageContaining("closed before all that was accepted was answered");
        assertThat(held.isDone() && !held.isCompletedExceptionally()).isFalse();
        client.disconnect();
    }

    @Test
    void doesNotServeWithoutAskingTheBackup() throws Exception {
        int port;
        try (BackupSite backup = backup();
                JournalPushed primary = pushed(backup, PushLevel.ASYNC)) {
            send(primary.client, 1, 10);
            Await.until("all is there", () -> primary.push.lag() == 0);
            port = backup.port();
        }
        assertThatThrownBy(() -> Service.start(secondary(), new Sum())).hasMessageContaining("promote it first");
        assertThatThrownBy(() -> Service.start(primary(), new Sum())).hasMessageContaining("it asks there first");
        assertThatThrownBy(() -> Service.start(primary().withLogGate(new JournalPush(push(address(port)))), new Sum()))
                .hasMessageContaining("could not be asked");
        JournalPush alone = new JournalPush(push(address(port)).withStartAlone(true));
        try (Service service = Service.start(primary().withLogGate(alone), new Sum());
                ServiceClient client = TestClients.connect(service.port())) {
            send(client, 11, 20);
        }
    }

    @Test
    void refusesAJournalThatHasGoneAnotherWay() throws Exception {
        try (BackupSite backup = backup();
                JournalPushed primary = pushed(backup, PushLevel.BACKUP)) {
            send(primary.client, 1, 10);
        }
        Path other = folder.resolve("other");
        try (Service service = Service.start(
                        ServiceConfig.in(other)
                                .withMaxResponseTime(Await.RESPONSE)
                                .withJournal(process()),
                        new Sum());
                ServiceClient client = TestClients.connect(service.port())) {
            send(client, 1, 100);
        }
        try (BackupSite backup = backup()) {
            JournalPush push = new JournalPush(PushConfig.of(other, address(backup.port()), TOKEN));
            assertThatThrownBy(() -> Service.start(ServiceConfig.in(other).withLogGate(push), new Sum()))
                    .hasMessageContaining("the backup of another journal");
        }
    }

    @Test
    void isNotPromotedWhileNoServiceCouldStartThere() throws Exception {
        ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ServiceConfig config = secondary().withAddress(address(taken.getLocalPort()));
        try (BackupSite backup = BackupSite.start(config, config(0), new Sum());
                JournalPushed primary = pushed(backup, PushLevel.BACKUP)) {
            send(primary.client, 1, 10);
            SiteClient operator = new SiteClient(config(backup.port()));
            assertThatThrownBy(operator::promote)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("its primary goes on")
                    .hasMessageContaining(String.valueOf(taken.getLocalPort()));
            assertThat(operator.status().role()).isEqualTo(Role.BACKUP);
            send(primary.client, 11, 20);
            taken.close();
            assertThat(operator.promote().term()).isEqualTo(2);
        } finally {
            taken.close();
        }
    }

    @Test
    void isNotPromotedWhenItsStateMachineHasStopped() throws Exception {
        try (BackupSite backup = BackupSite.start(secondary(), config(0), new StoppingAt(7));
                JournalPushed primary = pushed(backup, PushLevel.BACKUP)) {
            send(primary.client, 1, 10);
            SiteClient operator = new SiteClient(config(backup.port()));
            assertThatThrownBy(operator::promote)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("its primary goes on")
                    .hasMessageContaining("no seven here");
            send(primary.client, 11, 20);
            assertThat(operator.status().role()).isEqualTo(Role.BACKUP);
        }
    }

    @Test
    void refusesToStartWhereNobodyHasSaidWhoGetsIn() {
        ServiceConfig open = secondary().withAddress(new InetSocketAddress("0.0.0.0", 0));
        assertThatThrownBy(() -> BackupSite.start(open, config(0), new Sum()).close())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("withOpenAccess");
    }

    @Test
    void servesWithTheMachineThatIsWarm() throws Exception {
        StateMachine warm = new Sum();
        try (BackupSite backup = BackupSite.start(secondary(), config(0), warm)) {
            try (JournalPushed primary = pushed(backup, PushLevel.BACKUP)) {
                send(primary.client, 1, 1_000);
            }
            assertThatThrownBy(() -> backup.serve(secondary(), Sum::new, null)).hasMessageContaining("not promoted");
            backup.promote();
            long hash = backup.report().stateHash();
            Supplier<StateMachine> second = () -> {
                throw new AssertionError("no second one is made");
            };
            try (Service next = backup.serve(secondary(), second, null);
                    ServiceClient client = TestClients.connect(next.port())) {
                assertThat(client.status().replayed()).isZero();
                assertThat(client.status().stateHash()).isEqualTo(hash).isEqualTo(warm.stateHash());
                send(client, 1_001, 1_100);
                assertThat(Sum.number(client.query(new byte[1]).payload())).isEqualTo(1_100);
            }
        }
        assertThat(Service.replay(secondary(), new Sum()).stateHash()).isEqualTo(warm.stateHash());
    }

    /** As docs/replica.md says it: the promoted site gets a backup of its own, which takes over in its turn. */
    @Test
    void twoSitesAreThereAgainAfterATakeOverAndAgainAfterTheNext() throws Exception {
        try (BackupSite backup = backup()) {
            try (JournalPushed primary = pushed(backup, PushLevel.BACKUP)) {
                send(primary.client, 1, 100);
                backup.promote();
            }
        }
        ServiceConfig third = ServiceConfig.in(folder.resolve("third"))
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(process());
        try (BackupSite again = BackupSite.start(third, config(0), new Sum())) {
            JournalPush push = new JournalPush(PushConfig.of(folder.resolve("backup"), address(again.port()), TOKEN)
                    .withConnectTimeout(LONG)
                    .withLevel(PushLevel.BACKUP));
            try (Service next = Service.start(secondary().withLogGate(push), new Sum());
                    ServiceClient client = TestClients.connect(next.port())) {
                send(client, 101, 200);
                // The folder of the first primary asks the site that it knows, which is there no more.
                assertThatThrownBy(() -> Service.start(primary(), new Sum())).isInstanceOf(IOException.class);
                assertThat(again.promote().term()).isEqualTo(3);
                assertThatThrownBy(() -> Await.done(next.ended()))
                        .hasRootCauseInstanceOf(FencedException.class)
                        .hasMessageContaining("term 3");
            }
            try (Service last = again.serve(third, Sum::new, null);
                    ServiceClient client = TestClients.connect(last.port())) {
                assertThat(Sum.number(client.query(new byte[1]).payload())).isEqualTo(200);
            }
        }
    }

    @Test
    void isReachedWhileManyConnectWhoSayNothing() throws Exception {
        List<Socket> idle = new ArrayList<>();
        try (BackupSite backup = backup()) {
            for (int i = 0; i < 100; i++) {
                idle.add(new Socket(InetAddress.getLoopbackAddress(), backup.port()));
            }
            SiteClient operator = new SiteClient(config(backup.port()));
            assertThat(operator.status().role()).isEqualTo(Role.BACKUP);
            assertThat(operator.promote().term()).isPositive();
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }

    @Test
    void keepsTheSchemaOfTheCommandsAndRefusesOneThatWouldMisreadThem() throws Exception {
        String schema = "record Pay id 7 version 1 {\n  1 long account\n}\n";
        BackupSite.start(secondary(), config(0), new Described(schema)).close();
        assertThat(SchemaFile.read(folder.resolve("backup"))).isEqualTo(schema);
        StateMachine other = new Described(schema.replace("long", "double"));
        assertThatThrownBy(() -> BackupSite.start(secondary(), config(0), other))
                .isInstanceOf(WrongLogException.class)
                .hasMessageContaining("Pay.account: was long and is double");
        assertThat(SchemaFile.read(folder.resolve("backup"))).isEqualTo(schema);
    }

    /** A machine that has no room for one command, as another version of it might. */
    private static final class StoppingAt implements StateMachine {
        private final Sum sum = new Sum();
        private final long number;

        StoppingAt(long number) {
            this.number = number;
        }

        @Override
        public String name() {
            return sum.name();
        }

        @Override
        public void onCommand(Request command, Output output) {
            if (Sum.number(command.payload()) == number) {
                throw new AssertionError("no seven here");
            }
            sum.onCommand(command, output);
        }

        @Override
        public long stateHash() {
            return sum.stateHash();
        }
    }

    /** A machine that says what its commands look like. */
    private record Described(String commandSchema) implements StateMachine, CommandSchema {
        @Override
        public void onCommand(Request command, Output output) {
            output.reply(command.payload());
        }

        @Override
        public long stateHash() {
            return 0;
        }
    }
}
