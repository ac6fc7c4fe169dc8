package io.slipstream.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.replica.backup.BackupSite;
import io.slipstream.replica.backup.Promotion;
import io.slipstream.replica.primary.JournalPush;
import io.slipstream.replica.primary.PushLevel;
import io.slipstream.replica.site.Role;
import io.slipstream.replica.site.Site;
import io.slipstream.service.Service;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.host.Host;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A backup on a small device that is full. */
class FullDiskTest extends PairOfSites {
    private Path small;

    @BeforeEach
    void mount() throws Exception {
        small = Files.createDirectory(folder.resolve("backup"));
        Assumptions.assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", small.toString()) == 0,
                "no right to mount a small file system here");
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", small.toString());
    }

    private static int run(String... command) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            return -1;
        }
    }

    private void fill() throws Exception {
        run("dd", "if=/dev/zero", "of=" + small.resolve("fill"), "bs=4k");
    }

    @Test
    void isPromotedAlthoughItsDeviceIsFull() throws Exception {
        try (BackupSite backup = backup()) {
            try (JournalPushed primary = pushed(backup, PushLevel.BACKUP)) {
                send(primary.client, 1, 500);
            }
            fill();
            Promotion promotion = backup.promote();
            assertThat(promotion.sequence()).isGreaterThan(500);
            Site site = Site.read(Host.system(), small);
            assertThat(site.role()).isEqualTo(Role.PROMOTED);
            assertThat(site.sequence()).isEqualTo(promotion.sequence());
        }
        Files.delete(small.resolve("fill"));
        try (Service next = Service.start(secondary(), new Sum());
                ServiceClient client = TestClients.connect(next.port())) {
            assertThat(Sum.number(client.query(new byte[1]).payload())).isEqualTo(500);
        }
    }

    @Test
    void goesOnWhenThereIsRoomAgain() throws Exception {
        Reasons reasons = new Reasons();
        try (BackupSite backup = backup()) {
            JournalPush push = new JournalPush(push(address(backup.port())).withEvents(reasons));
            try (Service service = Service.start(primary().withLogGate(push), new Sum());
                    ServiceClient client = TestClients.connect(service.port())) {
                send(client, 1, 100);
                Await.until("all is there", () -> push.lag() == 0);
                fill();
                send(client, 1, 8_000);
                Await.until("it was told", () -> !reasons.into.isEmpty());
                assertThat(reasons.into.peek()).contains("the backup site stops");
                Files.delete(small.resolve("fill"));
                Await.until("it has caught up", () -> push.lag() == 0 && push.isConnected());
            }
        }
        assertPrefix();
    }
}
