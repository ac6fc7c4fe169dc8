package io.slipstream.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.cluster.backup.Backups;
import io.slipstream.cluster.backup.Restoration;
import io.slipstream.cluster.config.Members;
import io.slipstream.cluster.files.MemberCopy;
import io.slipstream.cluster.files.MemberLog;
import io.slipstream.cluster.grid.FreePorts;
import io.slipstream.cluster.grid.Grid;
import io.slipstream.service.client.ServiceClient;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/cluster.md says under "When a majority is lost". */
class BackupTest {
    @TempDir
    private Path folder;

    @Test
    void makesAClusterOfABackupWhenAllItsMembersAreLost() throws IOException {
        try (Grid grid = Grid.of(3, Sum::new)) {
            Path backup;
            try (ServiceClient client = grid.client().connect()) {
                client.call(Sum.bytes(1));
                grid.snapshot();
                client.call(Sum.bytes(2));
                backup = backups(grid).take();
                client.call(Sum.bytes(100));
            }
            for (int id = 0; id < 3; id++) {
                grid.kill(id);
                remove(grid.directory(id));
                assertThat(Restoration.restore(backup, grid.directory(id), id)).isPositive();
            }
            for (int id = 0; id < 3; id++) {
                grid.start(id);
            }
            try (ServiceClient client = grid.client().connect()) {
                assertThat(Sum.number(client.call(Sum.bytes(3)).payload())).isEqualTo(6);
                grid.awaitSameState();
                // From then on they are members as any other.
                grid.failOver();
                assertThat(Sum.number(client.call(Sum.bytes(4)).payload())).isEqualTo(10);
                grid.awaitSameState();
            }
        }
    }

    /** The majority of others may have answered more; with this member's vote that would be lost. */
    @Test
    void aRestoredMemberTakesWhatALeaderHasInstead() throws IOException {
        try (Grid grid = Grid.of(3, Sum::new);
                ServiceClient client = grid.client().connect()) {
            client.call(Sum.bytes(1));
            Path backup = backups(grid).take();
            int lost = (grid.awaitLeader() + 1) % 3;
            grid.kill(lost);
            client.call(Sum.bytes(2));
            remove(grid.directory(lost));
            Restoration.restore(backup, grid.directory(lost), lost);
            grid.start(lost);
            assertThat(MemberLog.endIn(grid.directory(lost))).isGreaterThan(MemberLog.endIn(backup));
            grid.kill(grid.awaitLeader());
            assertThat(Sum.number(client.call(Sum.bytes(3)).payload())).isEqualTo(6);
        }
    }

    @Test
    void restoresFromWhatOneMemberHasKept() throws IOException {
        try (Grid grid = Grid.of(3, Sum::new)) {
            try (ServiceClient client = grid.client().connect()) {
                client.call(Sum.bytes(7));
                grid.awaitApplied(1, client.call(Sum.bytes(8)).sequence());
            }
            for (int id = 0; id < 3; id++) {
                grid.kill(id);
            }
            assertThatThrownBy(() -> Restoration.restore(grid.directory(1), folder.resolve("new"), 0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is the folder of a member")
                    .hasMessageContaining("journal copy");
            assertThat(folder.resolve("new")).doesNotExist();
            Path copy = folder.resolve("copy");
            MemberCopy.make(grid.directory(1), copy, List.of());
            for (int id : new int[] {0, 2}) {
                remove(grid.directory(id));
                Restoration.restore(copy, grid.directory(id), id);
            }
            for (int id = 0; id < 3; id++) {
                grid.start(id);
            }
            try (ServiceClient client = grid.client().connect()) {
                assertThat(Sum.number(client.call(Sum.bytes(1)).payload())).isEqualTo(16);
            }
            grid.awaitSameState();
        }
    }

    @Test
    void refusesWhatIsNoCopyOrDamagedAndAFolderThatIsInUse() throws IOException {
        Path restored = folder.resolve("restored");
        assertThatThrownBy(() -> Restoration.restore(folder, restored, 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no copy of the log of a member");
        try (Grid grid = Grid.of(1, Sum::new);
                ServiceClient client = grid.client().connect()) {
            client.call(Sum.bytes(1));
            Path backup = backups(grid).take();
            assertThatThrownBy(() -> Restoration.restore(backup, restored, 9))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("from 0 to 8, not 9");
            assertThatThrownBy(() -> Restoration.restore(backup, grid.directory(0), 0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is not empty");
            flip(backup.resolve("archive").resolve("0-0.rec"));
            assertThatThrownBy(() -> Restoration.restore(backup, restored, 0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is damaged")
                    .hasMessageContaining("another checksum");
            assertThat(restored).doesNotExist();
            flip(backup.resolve("archive").resolve("0-0.rec"));
            Restoration.restore(backup, restored, 0);
            assertThatThrownBy(() -> Restoration.restore(backup, restored, 0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is not empty");
            // One that was killed can be done again.
            remove(restored.resolve("archive"));
            remove(restored.resolve("cluster"));
            assertThatThrownBy(() -> Restoration.restore(backup, restored, 1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is the folder of 'restored 0'");
            Restoration.restore(backup, restored, 0);
            assertThat(MemberLog.endIn(restored)).isEqualTo(MemberLog.endIn(backup));
        }
    }

    @Test
    void keepsTheLastBackupsAndCountsOn() throws IOException {
        try (Grid grid = Grid.of(1, Sum::new)) {
            Backups backups = backups(grid);
            assertThat(backups.all()).isEmpty();
            for (int i = 0; i < 3; i++) {
                backups.take();
            }
            Path killed = folder.resolve("backups").resolve("backup-00000004.part");
            Files.createDirectories(killed.resolve("archive"));
            assertThat(backups.keep(1))
                    .extracting(Path::getFileName)
                    .map(Path::toString)
                    .containsExactly("backup-00000001", "backup-00000002");
            assertThat(backups.take()).hasFileName("backup-00000004");
            assertThat(killed).doesNotExist();
            assertThat(backups.all())
                    .extracting(Path::getFileName)
                    .map(Path::toString)
                    .containsExactly("backup-00000003", "backup-00000004");
            assertThatThrownBy(() -> backups.keep(0)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void saysOfEachMemberWhyThereIsNoBackup() throws IOException {
        Members members = FreePorts.members(2);
        Backups backups = new Backups(folder.resolve("backups"), members, null).withPatience(Duration.ZERO);
        assertThatThrownBy(backups::take)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("member 0")
                .hasMessageContaining("member 1")
                .hasMessageContaining("does not run");
        assertThat(backups.all()).isEmpty();
        FreePorts.giveBack(members);
    }

    private Backups backups(Grid grid) {
        return new Backups(folder.resolve("backups"), grid.members(), null).withPatience(Grid.PATIENCE);
    }

    private static void flip(Path file) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(70);
            int was = bytes.read();
            bytes.seek(70);
            bytes.write(was ^ 4);
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
