package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.FaultyStorage.Operation;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.errors.JournalFullException;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.Report;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On a device that has no room for one more file, a journal is opened, read and trimmed, and then goes on. */
class FullDeviceTest {
    private final List<String> expected = new ArrayList<>();

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(
            value = WriteMode.class,
            names = {"BUFFERED", "DSYNC", "MAPPED"})
    void isOpenedReadAndTrimmedUntilThereIsRoom(WriteMode mode) throws Exception {
        JournalConfig config = JournalConfig.at(Durability.SYNC)
                .withSegmentBytes(16 << 10)
                .withPreparedSegments(1)
                .withPrepareInBackground(false)
                .withWriteMode(mode);
        try (Journal journal = Journal.open(FileStorage.open(folder), config)) {
            for (int i = 0; i < 5; i++) {
                append(journal);
            }
        }
        try (Journal journal = Journal.open(full(), config)) {
            assertThatThrownBy(() -> {
                        while (expected.size() < 1_000) {
                            append(journal);
                        }
                    })
                    .isInstanceOf(JournalFullException.class);
        }
        for (int life = 0; life < 2; life++) {
            try (Journal journal = Journal.open(full(), config)) {
                assertThat(journal.recovery().clean()).as("life %d", life).isTrue();
                assertThat(Records.read(journal, 1)).isEqualTo(expected);
                assertThatThrownBy(() -> append(journal)).isInstanceOf(JournalFullException.class);
                journal.commit();
                journal.flush();
            }
        }
        requireGood();
        try (Journal journal = Journal.open(full(), config)) {
            long first = journal.trim(Long.MAX_VALUE);
            assertThat(first).as("the first trim of all").isGreaterThan(1);
            append(journal);
            assertThat(journal.recovery().clean()).isTrue();
            assertThat(Records.read(journal, first)).isEqualTo(expected.subList((int) first - 1, expected.size()));
        }
        requireGood();
        try (Journal journal = Journal.open(FileStorage.open(folder), config)) {
            assertThat(journal.recovery().clean()).isTrue();
            long first = journal.firstSequence();
            append(journal);
            assertThat(Records.read(journal, first)).isEqualTo(expected.subList((int) first - 1, expected.size()));
        }
    }

    @Test
    void aTornTailWaitsForRoom() throws Exception {
        JournalConfig config = JournalConfig.at(Durability.SYNC)
                .withSegmentBytes(16 << 10)
                .withPreparedSegments(1)
                .withPrepareInBackground(false);
        try (Journal journal = Journal.open(FileStorage.open(folder), config)) {
            while (journal.catalog().segments().size() < 4) {
                append(journal);
            }
            Records.appendAndCommit(journal, "record torn " + "x".repeat(1_000));
        }
        tearLast();
        byte[] torn = Files.readAllBytes(lastSegment());
        for (int life = 0; life < 2; life++) {
            try (Journal journal = Journal.open(full(), config)) {
                RecoveryReport.Cut cut =
                        Objects.requireNonNull(journal.recovery().cut());
                assertThat(cut.keptIn()).as("life %d", life).isEmpty();
                int oldest = (int) journal.firstSequence();
                assertThat(Records.read(journal, oldest)).isEqualTo(expected.subList(oldest - 1, expected.size()));
                assertThatThrownBy(() -> Records.append(journal, "no room"))
                        .isInstanceOf(JournalFullException.class)
                        .hasMessageContaining("interrupted write");
                assertThat(journal.trim(Long.MAX_VALUE)).isGreaterThan(1);
            }
            assertThat(Files.readAllBytes(lastSegment())).isEqualTo(torn);
        }
        boolean[] isFull = {true};
        FaultyStorage storage = new FaultyStorage(FileStorage.open(folder));
        storage.add((operation, name) -> {
            if (operation == Operation.CREATE && isFull[0]) {
                throw new IOException("No space left on device");
            }
        });
        long first;
        try (Journal journal = Journal.open(storage, config)) {
            assertThat(journal.hasRoomFor(100)).isFalse();
            isFull[0] = false;
            append(journal);
            first = journal.firstSequence();
            assertThat(Records.read(journal, first)).isEqualTo(expected.subList((int) first - 1, expected.size()));
        }
        requireGood();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.filter(file -> file.toString().endsWith(".cut"))).hasSize(1);
        }
        try (Journal journal = Journal.open(FileStorage.open(folder), config)) {
            assertThat(journal.recovery().clean()).isTrue();
            assertThat(Records.read(journal, first)).isEqualTo(expected.subList((int) first - 1, expected.size()));
        }
    }

    /** Leaves of the last record what an interrupted write may leave, and nothing that proves it durable. */
    private void tearLast() throws IOException {
        Path file = lastSegment();
        byte[] bytes = Files.readAllBytes(file);
        int start = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("record torn");
        Arrays.fill(bytes, 512 * (start / 512 + 1), bytes.length, (byte) 0);
        Files.write(file, bytes);
        Files.delete(folder.resolve("closed.position"));
    }

    private Path lastSegment() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".journal"))
                    .filter(FullDeviceTest::holdsRecords)
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }

    private static boolean holdsRecords(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains("record ");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void append(Journal journal) throws Exception {
        String payload = "record " + expected.size();
        Records.appendAndCommit(journal, payload);
        expected.add(payload);
    }

    private FaultyStorage full() throws IOException {
        FaultyStorage storage = new FaultyStorage(FileStorage.open(folder));
        storage.add((operation, name) -> {
            if (operation == Operation.CREATE) {
                throw new IOException("No space left on device");
            }
        });
        return storage;
    }

    private void requireGood() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JournalTool tool =
                new JournalTool(folder, new Report(new PrintStream(out, true, StandardCharsets.UTF_8), false))) {
            assertThat(tool.verify()).as(out.toString(StandardCharsets.UTF_8)).isTrue();
        }
    }
}
