package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What the real system does to a process: limits, errors, interrupts. */
class DeviceFailureTest {
    private static final int SEGMENT = 64 << 10;

    @TempDir
    Path temp;

    /** The segment that is there is as large as a file may be, and the next ones would be larger. */
    @ParameterizedTest
    @EnumSource(
            value = WriteMode.class,
            names = {"BUFFERED", "MAPPED"})
    void refusesAppendsWhenNoFurtherSegmentFitsAndKeepsWhatWasAcknowledged(WriteMode mode) throws Exception {
        Path folder = temp.resolve("limited");
        try (Journal journal = Journal.open(folder, config(Durability.SYNC).withSegmentBytes(SEGMENT / 2))) {
            Records.appendAndCommit(journal, AppendingProcess.payload(1));
        }
        try (ChildProcess child =
                ChildProcess.appending(limited(SEGMENT / 2), folder, Durability.PROCESS, mode, SEGMENT)) {
            List<String> lines = child.allLines();
            assertThat(lines.getLast()).as("%s", lines).matches("full \\d+");
            checkPayloads(folder, number(lines.getLast()));
        }
    }

    /** Half of the segment that is there is more than may be written. */
    @Test
    void isPoisonedByAWriteThatFailsAndKeepsWhatWasAcknowledged() throws Exception {
        Path folder = temp.resolve("limited");
        try (Journal journal = Journal.open(folder, config(Durability.SYNC))) {
            Records.appendAndCommit(journal, AppendingProcess.payload(1));
            awaitSpare(folder);
        }
        try (ChildProcess child =
                ChildProcess.appending(limited(SEGMENT / 2), folder, Durability.PROCESS, WriteMode.BUFFERED, SEGMENT)) {
            List<String> lines = child.allLines();
            assertThat(lines.getLast()).as("%s", lines).matches("still failed \\d+");
            checkPayloads(folder, number(lines.getLast()));
        }
    }

    /** Starts a process whose files may have so many bytes; the shell counts them in blocks of 512. */
    private static List<String> limited(int bytes) {
        return List.of("sh", "-c", "ulimit -f " + bytes / 512 + "; exec \"$@\"", "sh");
    }

    @Test
    void refusesAppendsOnAFullFileSystemAndGoesOnWhenThereIsRoom() throws Exception {
        Path small = Files.createDirectory(temp.resolve("small"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", small.toString()) == 0,
                "needs the right to mount a file system");
        try {
            Path filler = Files.write(small.resolve("filler"), new byte[100 << 10]);
            long acked;
            Path folder = small.resolve("journal");
            try (ChildProcess child =
                    ChildProcess.appending(List.of(), folder, Durability.SYNC, WriteMode.BUFFERED, SEGMENT)) {
                List<String> lines = child.allLines();
                assertThat(lines.getLast()).as("%s", lines).startsWith("full ");
                acked = number(lines.getLast());
            }
            Files.delete(filler);
            checkPayloads(folder, acked);
        } finally {
            run("umount", "-l", small.toString());
        }
    }

    /**
     * What fails is the first force of the fourth segment: that of its first batch at SYNC, and below, where a thread
     * of the journal's own forces each full segment, the only one; or, of a mapping, which has no name, the 30th.
     */
    @ParameterizedTest
    @CsvSource({
        "SYNC, BUFFERED, fdatasync",
        "SYNC, MAPPED, msync",
        "PROCESS, BUFFERED, fdatasync",
        "PROCESS, MAPPED, fdatasync"
    })
    void isPoisonedByAForceThatFailsAlthoughTheNextOneWouldSucceed(Durability durability, WriteMode mode, String call)
            throws Exception {
        assumeTrue(run("strace", "-V") == 0, "needs strace");
        Path folder = temp.toRealPath().resolve("failing");
        List<String> strace = new ArrayList<>(List.of(
                "strace",
                "-f",
                "-qq",
                "-o",
                "/dev/null",
                "-e",
                "trace=" + call,
                "-e",
                "inject=" + call + ":error=EIO:when=" + (call.equals("msync") ? 30 : 1)));
        if (!call.equals("msync")) {
            strace.addAll(List.of("-P", folder.resolve(FileName.of(4)).toString()));
        }
        try (ChildProcess child = ChildProcess.appending(strace, folder, durability, mode, SEGMENT)) {
            List<String> lines = child.allLines();
            assumeFalse(lines.toString().contains("ptrace"), "needs the right to trace a process");
            assertThat(lines.getLast()).as("%s", lines).startsWith("still failed ");
            long durable = number(lines.getLast());
            String lastAcked = lines.stream()
                    .filter(line -> line.startsWith("acked "))
                    .toList()
                    .getLast();
            assertThat(lastAcked).isEqualTo("acked " + durable);
            checkPayloads(folder, durable);
        }
    }

    /** Without that a loss of power may take the whole folder away. */
    @Test
    void makesTheFoldersThatItCreatesDurableAsWell() throws Exception {
        assumeTrue(run("strace", "-V") == 0, "needs strace");
        Path folder = temp.resolve("new/newer/newest");
        Path trace = temp.resolve("trace");
        List<String> strace = List.of(
                "strace",
                "-f",
                "-qq",
                "-y",
                "-o",
                trace.toString(),
                "-e",
                "trace=fdatasync",
                "-e",
                "inject=fdatasync:error=EIO:when=30");
        try (ChildProcess child =
                ChildProcess.appending(strace, folder, Durability.SYNC, WriteMode.BUFFERED, SEGMENT)) {
            List<String> lines = child.allLines();
            assumeFalse(lines.toString().contains("ptrace"), "needs the right to trace a process");
            assertThat(lines).as("%s", lines).contains("open 0");
        }
        String real = temp.toRealPath().toString();
        assertThat(Files.readString(trace))
                .contains(
                        "<" + real + ">",
                        "<" + real + "/new>",
                        "<" + real + "/new/newer>",
                        "<" + real + "/new/newer/newest>");
    }

    @ParameterizedTest
    @EnumSource(
            value = WriteMode.class,
            names = {"BUFFERED", "DSYNC", "MAPPED"})
    void takesNoNoticeOfInterrupts(WriteMode mode) throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Thread owner = Thread.currentThread();
        Thread interrupter = Thread.ofPlatform().start(() -> {
            while (!done.get()) {
                owner.interrupt();
                LockSupport.parkNanos(20_000);
            }
        });
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(700);
        try (Journal journal = Journal.open(temp, config(Durability.SYNC).withWriteMode(mode))) {
            while (System.nanoTime() < deadline) {
                Records.append(journal, AppendingProcess.payload(journal.nextSequence()));
                Records.appendAndCommit(journal, AppendingProcess.payload(journal.nextSequence()));
                long last = journal.nextSequence() - 1;
                assertThat(journal.read(last, (memory, offset, length) -> {})).isEqualTo(1);
            }
        } finally {
            done.set(true);
            while (interrupter.isAlive()) {
                Thread.onSpinWait();
            }
            Thread.interrupted();
        }
        checkPayloads(temp, 10);
    }

    /** An executor that is told to close answers an interrupt by dropping what it has not begun. */
    @ParameterizedTest
    @EnumSource(
            value = WriteMode.class,
            names = {"BUFFERED", "MAPPED"})
    void forcesEveryFullSegmentAlsoWhenItsOwnerIsInterruptedAsItCloses(WriteMode mode) throws Exception {
        FaultyStorage storage = new FaultyStorage(FileStorage.open(temp));
        Journal journal = Journal.open(
                storage, config(Durability.PROCESS).withSegmentBytes(16 << 10).withWriteMode(mode));
        CountDownLatch closing = new CountDownLatch(1);
        storage.add((operation, name) -> {
            if (operation == FaultyStorage.Operation.FORCE && name.equals(FileName.of(1))) {
                awaitWhateverHappens(closing);
            }
        });
        while (journal.nextSequence() < 400) {
            Records.appendAndCommit(journal, AppendingProcess.payload(journal.nextSequence()));
        }
        Thread owner = Thread.currentThread();
        Thread releasing = Thread.ofPlatform().start(() -> {
            // The owner waits in close, and the interrupt is no longer pending or about to be ignored.
            while (owner.getState() != Thread.State.WAITING && owner.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            closing.countDown();
        });
        Thread.currentThread().interrupt();
        journal.close();
        assertThat(Thread.interrupted()).isTrue();
        releasing.join();
        List<String> segments = storage.list().stream()
                .filter(name -> FileName.parse(name).isPresent())
                .toList();
        assertThat(segments).hasSizeGreaterThan(4);
        assertThat(storage.forced)
                .containsAll(segments.stream().sorted().toList().subList(0, segments.size() - 1));
        assertThat(storage.open).isEmpty();
    }

    private static void awaitWhateverHappens(CountDownLatch latch) {
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What the journal is spared: else the test above would prove nothing. */
    @Test
    void aChannelOfTheJdkIsClosedByAnInterrupt() throws Exception {
        try (FileChannel channel =
                FileChannel.open(temp.resolve("plain"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(1), 0))
                    .isInstanceOf(ClosedByInterruptException.class);
            assertThat(channel.isOpen()).isFalse();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private static void checkPayloads(Path folder, long acked) throws JournalException {
        try (Journal journal = Journal.open(folder, config(Durability.SYNC))) {
            List<String> found = Records.read(journal, 1);
            assertThat((long) found.size()).isGreaterThanOrEqualTo(acked);
            for (int i = 0; i < found.size(); i++) {
                assertThat(found.get(i)).isEqualTo(AppendingProcess.payload(i + 1));
            }
            Records.appendAndCommit(journal, "goes on");
        }
    }

    private static void awaitSpare(Path folder) throws Exception {
        Await.until("a spare segment", () -> Files.exists(folder.resolve("segment-0000000000000002.journal")));
    }

    private static int run(String... command) throws InterruptedException {
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

    private static JournalConfig config(Durability durability) {
        return JournalConfig.at(durability).withSegmentBytes(SEGMENT);
    }

    private static long number(String line) {
        return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
    }
}
