package io.slipstream.journal.storage;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file system that is mounted read-only has nothing to do with owners and permissions. */
class ReadOnlyMountTest {
    @TempDir
    Path temp;

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
