package io.slipstream.cluster.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed at any step of an installation leaves either what was there, or the copy. */
class InstallationTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void fill() throws IOException {
        write("archive", "old");
        write("cluster", "old");
    }

    @Test
    void leavesWhatWasThereUntilTheCopyCounts() throws IOException {
        Path fresh = Installation.begin(directory);
        Files.writeString(fresh.resolve("archive").resolve("log"), "new");
        Installation.finish(directory);
        requireAll("old");
    }

    @Test
    void hasTheCopyWhenItCounts() throws IOException {
        Path fresh = Installation.begin(directory);
        write("copy.new/archive", "new");
        write("copy.new/cluster", "new");
        assertThat(fresh).isDirectory();
        Installation.commit(directory);
        requireAll("new");
    }

    @Test
    void goesOnWhenItWasKilledBeforeAnythingWasMoved() throws IOException {
        write("copy.done/archive", "new");
        write("copy.done/cluster", "new");
        Installation.finish(directory);
        requireAll("new");
    }

    @Test
    void goesOnWhenItWasKilledBehindTheFirstMove() throws IOException {
        write("archive", "new");
        write("copy.done/cluster", "new");
        Installation.finish(directory);
        requireAll("new");
    }

    @Test
    void goesOnWhenItWasKilledWhileTheFormerLogWasRemoved() throws IOException {
        write("archive", "new");
        write("copy.done/cluster", "new");
        Files.delete(directory.resolve("cluster").resolve("log"));
        Files.delete(directory.resolve("cluster"));
        Installation.finish(directory);
        requireAll("new");
    }

    @Test
    void goesOnWhenAllWasMoved() throws IOException {
        write("archive", "new");
        write("cluster", "new");
        Files.createDirectory(directory.resolve("copy.done"));
        Installation.finish(directory);
        requireAll("new");
    }

    private void write(String part, String text) throws IOException {
        Files.createDirectories(directory.resolve(part));
        Files.writeString(directory.resolve(part).resolve("log"), text);
    }

    private void requireAll(String text) {
        assertThat(directory.resolve("archive").resolve("log")).hasContent(text);
        assertThat(directory.resolve("cluster").resolve("log")).hasContent(text);
        assertThat(directory.resolve("copy.new")).doesNotExist();
        assertThat(directory.resolve("copy.done")).doesNotExist();
    }
}
