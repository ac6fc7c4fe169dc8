package io.slipstream.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class RegionTest {
    @TempDir
    private Path folder;

    @Test
    void isAlignedAndFullOfZeros() {
        try (Region region = Region.allocate(10_000)) {
            assertThat(region.byteSize()).isEqualTo(10_000);
            assertThat(region.segment().address() % Region.ALIGNMENT).isZero();
            for (long offset = 0; offset < region.byteSize(); offset += Long.BYTES) {
                assertThat(region.getLong(offset)).isZero();
            }
        }
    }

    @Test
    void readsWhatWasWrittenWhateverTheOrderOfTheAccess() {
        try (Region region = Region.allocate(64)) {
            region.putLong(0, 1);
            region.putLongOpaque(8, region.getLongOpaque(0) + 1);
            region.putLongRelease(16, region.getLongAcquire(8) + 1);
            region.putLongVolatile(24, region.getLongVolatile(16) + 1);
            assertThat(region.getAndAddLong(24, 1)).isEqualTo(4);
            assertThat(region.compareAndSetLong(24, 4, 0)).isFalse();
            assertThat(region.compareAndSetLong(24, 5, 6)).isTrue();
            assertThat(region.getLong(24)).isEqualTo(6);
            region.putInt(32, 0x01020304);
            region.putIntRelease(36, region.getIntAcquire(32) + 1);
            assertThat(region.getInt(36)).isEqualTo(0x01020305);
            assertThat(region.segment().get(java.lang.foreign.ValueLayout.JAVA_BYTE, 32))
                    .as("little-endian")
                    .isEqualTo((byte) 4);
        }
    }

    @Test
    void refusesAFileForWhichTheDiskHasNoRoomBeforeItWritesAny() {
        Path file = folder.resolve("huge");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Region.create(file, Long.MAX_VALUE))
                .withMessageContaining(Long.MAX_VALUE + " bytes")
                .withMessageContaining("bytes free");
        assertThat(file).doesNotExist();
    }

    @Test
    void refusesMemoryThatNothingCanAddress() {
        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> Region.allocate(Long.MAX_VALUE))
                .withMessageContaining(Long.MAX_VALUE + " bytes");
    }

    @Test
    void isMadeByAnInterruptedThread() throws Exception {
        Path file = folder.resolve("interrupted");
        Thread.currentThread().interrupt();
        try (Region created = Region.create(file, 10_000)) {
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            created.putLong(0, 7);
            try (Region opened = Region.open(file);
                    Region read = Region.openReadOnly(file)) {
                assertThat(opened.getLong(0) + read.getLong(0)).isEqualTo(14);
            }
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    /** With the channel its owner would lose a lock of the kernel. */
    @Test
    void leavesTheChannelOfAnInterruptedOwnerOpen() throws Exception {
        Path file = Files.write(folder.resolve("locked"), new byte[4096]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            Thread.currentThread().interrupt();
            try (Region region = Region.map(file, channel, FileChannel.MapMode.READ_WRITE)) {
                region.putLong(0, 7);
            }
            assertThat(Thread.interrupted()).as("still interrupted").isTrue();
            assertThat(channel.isOpen()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    /** An interrupt in the middle of it closes the channel, and all of it is done again. */
    @Test
    void isMadeWhileAnotherThreadInterruptsThisOne() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Thread owner = Thread.currentThread();
        Thread interrupter = Thread.ofPlatform().start(() -> {
            while (!done.get()) {
                owner.interrupt();
                LockSupport.parkNanos(50_000);
            }
        });
        try {
            for (int i = 0; i < 50; i++) {
                try (Region region = Region.create(folder.resolve("file " + i), 4 << 10)) {
                    assertThat(region.byteSize()).isEqualTo(4 << 10);
                }
            }
        } finally {
            done.set(true);
            while (interrupter.isAlive()) {
                Thread.onSpinWait();
            }
            Thread.interrupted();
        }
    }

    @Test
    void neverTouchesForeignMemory() {
        Region region = Region.allocate(16);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> region.getLong(16));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> region.putLong(-8, 1));
        assertThatIllegalArgumentException().as("not aligned").isThrownBy(() -> region.getLongAcquire(4));
        region.close();
        region.close();
        assertThatIllegalStateException().isThrownBy(() -> region.getLong(0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Region.allocate(0))
                .withMessageContaining("not 0");
    }

    @Test
    void keepsInItsFileWhatWasWritten() throws IOException {
        Path file = folder.resolve("region");
        try (Region region = Region.create(file, 5_000)) {
            region.putLong(4_992, 42);
        }
        assertThat(Files.size(file)).isEqualTo(5_000);
        try (Region region = Region.open(file)) {
            assertThat(region.getLong(4_992)).isEqualTo(42);
            region.putLong(0, 43);
        }
        try (Region region = Region.openReadOnly(file)) {
            assertThat(region.getLong(0)).isEqualTo(43);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> region.putLong(0, 1))
                    .withMessageContaining("read-only");
        }
    }

    /** The file is one long hole with a byte at its end, so that it takes no room. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void readsAndWritesBeyondTheRangeOfAnInt() throws IOException {
        long bytes = 5L << 30;
        Path file = folder.resolve("sparse");
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.SPARSE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(1), bytes - 1);
        }
        try (Region region = Region.open(file)) {
            assertThat(region.byteSize()).isEqualTo(bytes);
            for (long offset : new long[] {Integer.MAX_VALUE + 1L, 1L << 32, bytes - Long.BYTES}) {
                region.putLong(offset, offset);
                region.putInt(offset - Integer.BYTES, 7);
                assertThat(region.getLongAcquire(offset)).isEqualTo(offset);
                assertThat(region.getAndAddLong(offset, 1)).isEqualTo(offset);
                assertThat(region.compareAndSetLong(offset, offset + 1, offset + 2))
                        .isTrue();
                assertThat(region.getIntAcquire(offset - Integer.BYTES)).isEqualTo(7);
                assertThat(region.getLong(offset & Integer.MAX_VALUE))
                        .as("what an int would make of it")
                        .isZero();
            }
            assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> region.getLong(bytes));
        }
        try (Region region = Region.openReadOnly(file)) {
            assertThat(region.getLong(1L << 32)).isEqualTo((1L << 32) + 2);
        }
    }

    @Test
    void refusesFilesThatAreThereOrMissingOrEmpty() throws IOException {
        Path file = Files.createFile(folder.resolve("empty"));
        assertThatExceptionOfType(FileAlreadyExistsException.class).isThrownBy(() -> Region.create(file, 1));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Region.open(file))
                .withMessageContaining("is empty");
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> Region.open(folder.resolve("none")));
    }

    @Test
    void refusesDirectories() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Region.open(folder))
                .withMessage(folder + " is a directory; a region is mapped from a file");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Region.openReadOnly(folder))
                .withMessageStartingWith(folder + " is a directory");
    }

    @Test
    void saysHowMuchMemoryThereIsNot() {
        for (long bytes : new long[] {Long.MAX_VALUE, 1L << 62}) {
            assertThatExceptionOfType(OutOfMemoryError.class)
                    .isThrownBy(() -> Region.allocate(bytes))
                    .withMessageContaining("no " + bytes + " bytes");
        }
    }

    /** A limit on the size of files stands for a full disk: the kernel refuses the write in the same way. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void isAnExceptionAtCreationWhereTheDiskIsFullAndLeavesNoFile() throws Exception {
        Path file = folder.resolve("large");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -f 100; exec \"$@\"",
                        "sh",
                        java,
                        "-Xshare:auto",
                        "-XX:-UsePerfData",
                        "-cp",
                        place(Region.class) + ":" + place(RegionTest.class),
                        Child.class.getName(),
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).startsWith("IOException: cannot create " + file + " of 1048576 bytes");
        assertThat(file).doesNotExist();
    }

    @Test
    void tellsWhatThisMachineKnowsOfItsPages() {
        Pages pages = Pages.ofThisMachine();
        assertThat(pages.transparentHugePages()).isIn("always", "madvise", "never", "unknown");
        pages.bytes().ifPresent(bytes -> assertThat(bytes).isBetween(4096L, 65_536L));
        pages.hugePageBytes()
                .ifPresent(
                        bytes -> assertThat(bytes % pages.bytes().orElse(4096)).isZero());
        CacheLine.bytesOfThisMachine()
                .ifPresent(bytes -> assertThat(Integer.bitCount(bytes)).isOne());
    }

    private static String place(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .toString();
    }

    /** Creates a region that is larger than a file may be. */
    static final class Child {
        private Child() {}

        /** The argument is the file. */
        public static void main(String[] args) {
            try (Region region = Region.create(Path.of(args[0]), 1 << 20)) {
                System.out.println("created " + region.byteSize());
            } catch (IOException e) {
                System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
            }
        }
    }
}
