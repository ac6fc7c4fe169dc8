package io.slipstream.journal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.testkit.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file system that is mounted read-only has nothing to do with owners and permissions. */
class ReadOnlyMountTest {
    private static final String MOUNT = "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\" && exec \"$@\"";

    @TempDir
    Path temp;

    @Test
    void isSaidOfABindMountOnADeviceThatIsWritableElsewhere() throws Exception {
        Path folder = Files.createDirectory(temp.resolve("bound"));
        Process tried = inNamespace(List.of("sh", "-c", MOUNT, folder.toString(), "true"));
        String said = new String(tried.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assumeTrue(tried.waitFor() == 0, "no right to mount in a namespace here: " + said);
        List<String> command = new ArrayList<>(List.of("sh", "-c", MOUNT, folder.toString()));
        command.addAll(
                ChildJvm.of(OpeningProcess.class, List.of(), folder.toString()).command());
        Process child = inNamespace(command);
        assertThat(new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains(folder + " is mounted read-only", folder.resolve("new") + " is mounted read-only");
        assertThat(child.waitFor()).isZero();
    }

    private static Process inNamespace(List<String> command) throws IOException {
        List<String> all = new ArrayList<>(List.of("unshare", "-Urm"));
        all.addAll(command);
        try {
            return new ProcessBuilder(all).redirectErrorStream(true).start();
        } catch (IOException e) {
            assumeTrue(false, "no unshare here: " + e.getMessage());
            throw e;
        }
    }

    /** Opens a folder and one in it that is not there, and prints why neither can be opened. */
    static final class OpeningProcess {
        private OpeningProcess() {}

        public static void main(String[] arguments) throws IOException {
            PrintStream out = System.out;
            Path folder = Path.of(arguments[0]);
            for (Path opened : new Path[] {folder, folder.resolve("new")}) {
                try {
                    Journal.open(opened, JournalConfig.at(Durability.SYNC)).close();
                } catch (JournalException e) {
                    out.println(e.getMessage());
                }
            }
        }
    }

    @Test
    void isSaidWithTheWayToReadThere() throws Exception {
        Path archive = temp.resolve("archive.zip");
        try (FileSystem made = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
            Files.createDirectory(made.getPath("/journal"));
        }
        try (FileSystem mounted = FileSystems.newFileSystem(archive, Map.of("accessMode", "readOnly"))) {
            for (String folder : new String[] {"/journal", "/another/one"}) {
                assertThatThrownBy(() -> Journal.open(mounted.getPath(folder), JournalConfig.at(Durability.SYNC)))
                        .isInstanceOf(JournalException.class)
                        .hasMessageContaining(folder + " is mounted read-only")
                        .hasMessageContaining("RecordWalk");
            }
        }
    }
}
