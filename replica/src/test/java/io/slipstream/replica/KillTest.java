package io.slipstream.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.replica.backup.SiteClient;
import io.slipstream.service.Service;
import io.slipstream.service.client.BusyException;
import io.slipstream.service.client.ConnectionLostException;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.CuttingProxy;
import io.slipstream.testkit.Ports;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Kills one of two sites with SIGKILL, again and again, while a client sends at the level "backup" and the network
 * between them is cut. Then the backup is promoted: whatever was answered is in its state once, its journal is a prefix
 * of that of the former primary, and that one serves no more, however it is started.
 *
 * <p>{@code -Dslipstream.kills=1000} makes it long.
 */
@Timeout(7200)
class KillTest extends PairOfSites {
    private static final int KILLS = Integer.getInteger("slipstream.kills", 3);
    private static final int MOST_OPEN = 1_000;

    private final long seed = System.nanoTime();
    private final SplittableRandom random = new SplittableRandom(seed);
    private final AtomicLong answered = new AtomicLong();
    private final List<CompletableFuture<Reply>> replies = new ArrayList<>();

    @Test
    void losesNothingThatWasAnsweredWhicheverSiteIsKilledWhenever() throws Exception {
        int servicePort = Ports.free();
        int backupPort = Ports.free();
        Process backup = SiteProcess.ready("backup", folder.resolve("backup"), backupPort);
        Process primary = null;
        try (CuttingProxy network = new CuttingProxy(backupPort, 100_000, seed).damagingOneOf(3)) {
            Object[] first = {"primary", folder.resolve("primary"), servicePort, network.port(), "alone"};
            primary = SiteProcess.ready(first);
            try (ServiceClient client = TestClients.builder(servicePort).connect()) {
                for (int kill = 0; kill < KILLS; kill++) {
                    sendUntil(client, answered.get() + random.nextLong(100, 1_000));
                    if (random.nextBoolean()) {
                        primary.destroyForcibly().waitFor();
                        primary = SiteProcess.ready(first);
                    } else {
                        backup.destroyForcibly().waitFor();
                        send(client, random.nextInt(20));
                        backup = SiteProcess.ready("backup", folder.resolve("backup"), backupPort);
                    }
                }
                sendUntil(client, answered.get() + 100);
                long promoted = new SiteClient(config(backupPort)).promote().sequence();
                assertThat(promoted).isGreaterThan(KILLS * 100);
                // It hears of it, and ends.
                Await.exitCode(primary);
                client.disconnect();
            }
            assertStaysFenced("primary", folder.resolve("primary"), servicePort, network.port());
            assertStaysFenced(first);
        } finally {
            backup.destroyForcibly().waitFor();
            if (primary != null) {
                primary.destroyForcibly().waitFor();
            }
        }
        assertPrefix();
        assertEachAnsweredOneIsThereOnce();
    }

    private void sendUntil(ServiceClient client, long count) {
        while (answered.get() < count) {
            if (replies.size() - answered.get() < MOST_OPEN) {
                send(client, 1);
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private void send(ServiceClient client, int count) {
        for (int i = 0; i < count; i++) {
            CompletableFuture<Reply> reply = client.send(Sum.bytes(replies.size()));
            replies.add(reply.whenComplete((_, _) -> answered.incrementAndGet()));
        }
    }

    private static void assertStaysFenced(Object... arguments) throws Exception {
        Process again = SiteProcess.start(arguments);
        try {
            assertThat(again.inputReader().readLine())
                    .contains("FencedException")
                    .contains("was promoted (term 2)");
            assertThat(again.waitFor()).isEqualTo(3);
        } finally {
            again.destroyForcibly().waitFor();
        }
    }

    private void assertEachAnsweredOneIsThereOnce() throws Exception {
        int found = 0;
        try (Service next = Service.start(secondary(), new Marks());
                ServiceClient client = TestClients.connect(next.port())) {
            for (int i = 0; i < replies.size(); i++) {
                long count = Sum.number(client.query(Sum.bytes(i)).payload());
                if (wasAnswered(replies.get(i))) {
                    assertThat(count)
                            .as("seed %d, command %d, which was answered", seed, i)
                            .isEqualTo(1);
                    found++;
                } else {
                    assertThat(count).as("seed %d, command %d", seed, i).isLessThanOrEqualTo(1);
                }
            }
        }
        assertThat(found).isGreaterThan(KILLS * 50);
    }

    private static boolean wasAnswered(CompletableFuture<Reply> reply) throws Exception {
        if (!reply.isDone()) {
            return false;
        }
        try {
            reply.get();
            return true;
        } catch (ExecutionException e) {
            // Refused, or the client went away before it was answered.
            assertThat(e.getCause()).isInstanceOfAny(BusyException.class, ConnectionLostException.class);
            return false;
        }
    }
}
