package io.slipstream.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.replica.backup.BackupSite;
import io.slipstream.replica.primary.JournalPush;
import io.slipstream.replica.primary.PushLevel;
import io.slipstream.service.Service;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Files of a backup that were damaged, and checkers that must notice what they are for. */
class CorruptFilesTest extends PairOfSites {
    @Test
    void namesTheFileThatIsDamagedAndTakesAllAgainIntoAnEmptyFolder() throws Exception {
        fill(6_000);
        Path oldest = segments(folder.resolve("backup")).getFirst();
        flip(oldest, Files.size(oldest) / 2);
        assertThatThrownBy(this::backup)
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining(oldest.getFileName().toString())
                .hasMessageContaining("offset");
        Files.move(folder.resolve("backup"), folder.resolve("damaged"));
        fill(10);
        assertPrefix();
    }

    @Test
    void takesWhatATornTailHasLostFromThePrimaryAgain() throws Exception {
        fill(100);
        Path newest = segments(folder.resolve("backup")).getFirst();
        tear(newest);
        fill(10);
        assertPrefix();
        assertThat(sums(folder.resolve("backup"))).hasSameSizeAs(sums(folder.resolve("primary")));
    }

    @Test
    void doesNotGoOnFromAFolderWhoseRoleIsUnreadable() throws Exception {
        fill(10);
        Files.writeString(folder.resolve("backup").resolve("site.properties"), "role=emperor\nterm=1\n");
        assertThatThrownBy(this::backup)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("site.properties")
                .hasMessageContaining("is damaged");
    }

    /** The twin is a backup that has records of its own. */
    @Test
    void theCheckNoticesABackupThatIsNoPrefix() throws Exception {
        fill(10);
        Files.delete(folder.resolve("backup").resolve("site.properties"));
        try (Service service = Service.start(secondary(), new Sum())) {
            assertThat(service.recovery().records()).isPositive();
        }
        assertThatThrownBy(this::assertPrefix).isInstanceOf(AssertionError.class);
    }

    /** The twin is a primary that does not wait, while its backup is away. */
    @Test
    void theCheckNoticesAnAnswerThatDidNotWaitForTheBackup() throws Exception {
        BackupSite backup = backup();
        try (JournalPushed primary = pushed(backup, PushLevel.ASYNC)) {
            send(primary.client, 1, 10);
            Await.until("all is there", () -> primary.push.lag() == 0);
            backup.close();
            send(primary.client, 11, 20);
        }
        try (BackupSite again = backup()) {
            again.promote();
        }
        try (Service next = Service.start(secondary(), new Sum());
                ServiceClient client = TestClients.connect(next.port())) {
            assertThat(Sum.number(client.query(new byte[1]).payload())).isEqualTo(10);
        }
    }

    private void fill(int commands) throws Exception {
        try (BackupSite backup = backup()) {
            JournalPush push = new JournalPush(push(address(backup.port())));
            try (Service service = Service.start(primary().withLogGate(push), new Sum());
                    ServiceClient client = TestClients.connect(service.port())) {
                send(client, 1, commands);
                client.disconnect();
                Await.until("all is there", () -> push.lag() == 0 && push.isConnected());
            }
        }
    }

    private static List<Path> segments(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".journal"))
                    .sorted()
                    .toList();
        }
    }

    private static void flip(Path file, long at) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(at);
            int before = bytes.read();
            bytes.seek(at);
            bytes.write(before ^ 8);
        }
    }

    /** Wipes the last records out, as if they had never reached the device, and the notes that all was closed. */
    private static void tear(Path file) throws IOException {
        Files.delete(file.resolveSibling("closed.position"));
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            byte[] all = new byte[(int) bytes.length()];
            bytes.readFully(all);
            int end = all.length;
            while (all[end - 1] == 0) {
                end--;
            }
            bytes.seek(end - 800);
            bytes.write(new byte[800]);
        }
    }
}
