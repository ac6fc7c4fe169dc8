package io.slipstream.cluster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverFolderTest {
    @TempDir
    private Path folder;

    private Path shared;
    private Path member;
    private Path other;

    @BeforeEach
    void make() throws IOException {
        shared = Files.createDirectory(folder.resolve("shared"));
        member = Files.createDirectory(folder.resolve("member"));
        other = Files.createDirectory(folder.resolve("other"));
    }

    private List<Path> inShared() throws IOException {
        try (Stream<Path> files = Files.list(shared)) {
            return files.toList();
        }
    }

    @Test
    void isInSharedMemoryAndLeavesNothingThere() throws IOException {
        Path at;
        try (DriverFolder driver = DriverFolder.choose(shared, 1, member)) {
            at = driver.path();
            assertThat(at.getParent()).isEqualTo(shared);
        }
        assertThat(inShared()).isEmpty();
        try (DriverFolder driver = DriverFolder.choose(shared, 1, member)) {
            assertThat(driver.path()).isEqualTo(at);
        }
    }

    @Test
    void isInTheMembersFolderIfSharedMemoryHasNoRoom() throws IOException {
        try (DriverFolder driver = DriverFolder.choose(shared, Long.MAX_VALUE, member)) {
            assertThat(driver.path()).isEqualTo(member.resolve("driver"));
            assertThat(inShared()).isEmpty();
        }
        try (DriverFolder driver = DriverFolder.choose(folder.resolve("none"), 1, member)) {
            assertThat(driver.path()).isEqualTo(member.resolve("driver"));
        }
    }

    /** A process that was killed has left files, and a lock that the kernel has released. */
    @Test
    void removesWhatAMemberHasLeftThatWasKilledAndNothingOfOneThatRuns() throws IOException {
        Path killed = Files.createDirectory(shared.resolve("slipstream-cluster-of-one-that-was-killed"));
        Files.writeString(killed.resolve("cnc.dat"), "some megabytes");
        Files.createFile(shared.resolve(killed.getFileName() + ".lock"));
        Path stranger = Files.createDirectory(shared.resolve("of-somebody-else"));
        try (DriverFolder running = DriverFolder.choose(shared, 1, other)) {
            Files.createDirectory(running.path());
            try (DriverFolder driver = DriverFolder.choose(shared, 1, member)) {
                assertThat(driver.path()).isNotEqualTo(running.path());
                assertThat(killed).doesNotExist();
                assertThat(shared.resolve(killed.getFileName() + ".lock")).doesNotExist();
                assertThat(stranger).exists();
                assertThat(running.path()).exists();
            }
            assertThat(running.path()).exists();
        }
    }
}
