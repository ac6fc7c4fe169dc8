package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFailedException;
import io.slipstream.journal.errors.JournalFullException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.segment.SegmentSupply;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a journal when a segment cannot be prepared. */
class PreparationTest {
    private static final JournalConfig CONFIG =
            JournalConfig.at(Durability.SYNC).withSegmentBytes(16 << 10).withPreparedSegments(1);
    private static final long LAST = 150;

    @TempDir
    Path temp;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void leavesNoHoleInTheNumbersWhicheverSegmentCouldNotBePreparedAtFirst(int prepared) throws Exception {
        JournalConfig config = CONFIG.withPreparedSegments(prepared).withPrepareInBackground(false);
        for (long failing = 2; failing < 8; failing++) {
            Path folder = temp.resolve(prepared + "-" + failing);
            FaultyStorage storage = new FaultyStorage(FileStorage.open(folder));
            storage.failOnce(FaultyStorage.Operation.CREATE, FileName.of(failing), "No space left on device");
            try (Journal journal = Journal.open(storage, config)) {
                fill(journal);
                assertThat(journal.failure()).isNull();
            }
            checkWhole(folder, LAST);
        }
    }

    @ParameterizedTest
    @CsvSource({"FORCE, true", "SYNC_DIRECTORY, true", "FORCE, false", "SYNC_DIRECTORY, false"})
    void isPoisonedByAForceThatFailsWhileASegmentIsPrepared(FaultyStorage.Operation operation, boolean background)
            throws Exception {
        FaultyStorage storage = new FaultyStorage(FileStorage.open(temp));
        Journal journal = Journal.open(storage, CONFIG.withPreparedSegments(1).withPrepareInBackground(background));
        Records.appendAndCommit(journal, AppendingProcess.payload(1));
        String file = operation == FaultyStorage.Operation.FORCE ? FileName.of(4) + FileName.UNFINISHED : "";
        storage.failOnce(operation, file, "Input/output error");
        assertThatThrownBy(() -> fill(journal))
                .isInstanceOf(JournalFailedException.class)
                .hasMessageContaining("Input/output error");
        long durable = journal.durableSequence().getAcquire();
        assertThatThrownBy(journal::commit).isInstanceOf(JournalFailedException.class);
        assertThatThrownBy(() -> Records.append(journal, "more")).isInstanceOf(JournalFailedException.class);
        assertThat(journal.durableSequence().getAcquire()).isEqualTo(durable);
        journal.close();
        assertThat(storage.open).isEmpty();
        checkWhole(temp, durable);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"No space left on device", "Disk quota exceeded", "Input/output error", "Too many open files"})
    void saysWhyASegmentCannotBePreparedAndGoesOnWhenItCan(String reason) throws Exception {
        FaultyStorage storage = new FaultyStorage(FileStorage.open(temp));
        AtomicBoolean failing = new AtomicBoolean();
        storage.add((operation, name) -> {
            if (failing.get() && operation == FaultyStorage.Operation.WRITE && name.endsWith(FileName.UNFINISHED)) {
                throw new IOException(reason);
            }
        });
        try (Journal journal = Journal.open(storage, CONFIG)) {
            Records.appendAndCommit(journal, AppendingProcess.payload(1));
            failing.set(true);
            assertThatThrownBy(() -> fill(journal))
                    .isInstanceOf(JournalFullException.class)
                    .hasMessageContaining(reason)
                    .hasMessageContaining("Nothing was accepted");
            assertThat(journal.failure()).isNull();
            assertThat(journal.nextSequence()).isLessThan(LAST);
            failing.set(false);
            fill(journal);
        }
        checkWhole(temp, LAST);
    }

    @Test
    void leavesNoFileOpenWhenOpeningFails() throws Exception {
        for (WriteMode mode : List.of(WriteMode.BUFFERED, WriteMode.MAPPED)) {
            for (FaultyStorage.Operation operation : FaultyStorage.Operation.values()) {
                for (boolean resumed : new boolean[] {false, true}) {
                    Path folder = temp.resolve(mode + "-" + operation + "-" + resumed);
                    if (resumed) {
                        Journal.open(folder, CONFIG).close();
                    }
                    FaultyStorage storage = new FaultyStorage(FileStorage.open(folder));
                    storage.add((now, _) -> {
                        if (now == operation) {
                            throw new IOException("Input/output error");
                        }
                    });
                    try {
                        Journal.open(storage, CONFIG.withWriteMode(mode).withPrepareInBackground(false))
                                .close();
                    } catch (JournalException e) {
                        assertThat(e.getMessage()).contains("Input/output error");
                    }
                    assertThat(storage.open).as("%s %s", operation, mode).isEmpty();
                }
            }
        }
    }

    /** What a task has left behind must not come in the way of the next one. */
    @Test
    void refusesNothingWhenMemoryWasShortOnceWhileASegmentWasFilled() throws Exception {
        FaultyStorage storage = new FaultyStorage(FileStorage.open(temp));
        AtomicBoolean isShort = new AtomicBoolean();
        storage.add((operation, name) -> {
            if (operation == FaultyStorage.Operation.WRITE
                    && name.endsWith(".journal.tmp")
                    && isShort.compareAndSet(true, false)) {
                throw new OutOfMemoryError("Cannot reserve 1048576 bytes of direct buffer memory");
            }
        });
        try (Journal journal = Journal.open(storage, CONFIG.withPrepareInBackground(false))) {
            isShort.set(true);
            fill(journal);
            assertThat(isShort).isFalse();
            assertThat(journal.failure()).isNull();
        }
        assertThat(storage.list()).noneMatch(name -> name.endsWith(FileName.UNFINISHED));
        checkWhole(temp, LAST);
    }

    /** Whoever waits for the segment, also to close, must not wait for a task that nobody has taken. */
    @Test
    void saysSoWhenNobodyTakesTheTaskAndGoesOnWhenSomebodyDoes() throws Exception {
        FileStorage storage = FileStorage.open(temp);
        AtomicBoolean refusing = new AtomicBoolean(true);
        Executor executor = task -> {
            if (refusing.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            task.run();
        };
        try (SegmentSupply supply = new SegmentSupply(storage, executor, () -> false, CONFIG, () -> 0, _ -> {})) {
            assertThatThrownBy(() -> supply.await(1))
                    .isInstanceOf(JournalFullException.class)
                    .hasMessageContaining("unable to create native thread");
            refusing.set(false);
            supply.await(1);
            supply.take(1).close();
            refusing.set(true);
        }
    }

    /** What is filled takes its share of the device from the commits. */
    @Test
    void fillsTheNextSegmentHardlyFasterThanTheOneBeforeItIsUsed() throws Exception {
        FaultyStorage storage = new FaultyStorage(FileStorage.open(temp));
        AtomicInteger writes = new AtomicInteger();
        storage.add((operation, name) -> {
            if (operation == FaultyStorage.Operation.WRITE && name.equals(FileName.of(2) + FileName.UNFINISHED)) {
                writes.incrementAndGet();
            }
        });
        AtomicLong used = new AtomicLong();
        JournalConfig config = CONFIG.withSegmentBytes(4 << 20);
        try (ExecutorService executor = Executors.newSingleThreadExecutor();
                SegmentSupply supply =
                        new SegmentSupply(storage, executor, () -> false, config, used::incrementAndGet, _ -> {})) {
            supply.await(1);
            supply.take(1).close();
            long before = used.get();
            supply.request(2);
            Await.until("the owner was looked at", () -> used.get() > before + 50);
            int whileUsed = writes.get();
            supply.await(2);
            supply.take(2).close();
            assertThat(whileUsed).isLessThan(writes.get() / 2);
        }
    }

    private static void fill(Journal journal) throws JournalException {
        while (journal.nextSequence() <= LAST) {
            Records.appendAndCommit(journal, AppendingProcess.payload(journal.nextSequence()));
        }
    }

    private static void checkWhole(Path folder, long last) throws JournalException {
        try (Journal journal = Journal.open(folder, CONFIG)) {
            List<String> found = Records.read(journal, 1);
            assertThat((long) found.size()).isEqualTo(last);
            for (int i = 0; i < found.size(); i++) {
                assertThat(found.get(i)).isEqualTo(AppendingProcess.payload(i + 1));
            }
        }
    }
}
