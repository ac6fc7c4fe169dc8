package io.slipstream.journal.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceSectorsTest {
    @TempDir
    Path system;

    private Path numbers;

    /** A disk 8:0 with a partition 8:1, and one 259:300 whose numbers need the upper bits, as the kernel shows them. */
    @BeforeEach
    void drawDevices() throws IOException {
        numbers = Files.createDirectories(system.resolve("dev/block"));
        disk("sda", 512);
        Files.createDirectories(system.resolve("devices/sda/sda1"));
        disk("nvme0n1", 4096);
        link("8:0", "sda");
        link("8:1", "sda/sda1");
        link("259:300", "nvme0n1");
    }

    @Test
    void areThoseOfTheDisk() throws IOException {
        assertThat(DeviceSectors.ofDevice(numbers, 8 << 8)).hasValue(512);
    }

    @Test
    void ofAPartitionAreThoseOfItsDisk() throws IOException {
        assertThat(DeviceSectors.ofDevice(numbers, 8 << 8 | 1)).hasValue(512);
    }

    @Test
    void areFoundByNumbersThatNeedMoreThanAByte() throws IOException {
        assertThat(DeviceSectors.ofDevice(numbers, 259 << 8 | 300 & 0xff | (300L & ~0xff) << 12))
                .hasValue(4096);
    }

    @Test
    void areUnknownOfAFileSystemWithoutADevice() throws IOException {
        assertThat(DeviceSectors.ofDevice(numbers, 42)).isEmpty();
    }

    @Test
    void ofAFolderThatDoesNotExistYetAreThoseOfTheOneAboveIt() {
        assertThat(DeviceSectors.bytes(system.resolve("not/there"))).isEqualTo(DeviceSectors.bytes(system));
    }

    private void disk(String name, int sectorBytes) throws IOException {
        Path queue =
                Files.createDirectories(system.resolve("devices").resolve(name).resolve("queue"));
        Files.writeString(queue.resolve("physical_block_size"), sectorBytes + "\n");
    }

    private void link(String number, String device) throws IOException {
        Files.createSymbolicLink(
                numbers.resolve(number), system.resolve("devices").resolve(device));
    }
}
