package io.slipstream.journal.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.RecoveryPolicy;
import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.Mark;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.storage.FileStorage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Each row of the table is brought about with a real journal of one record, and decided as it says, whatever the
 * policy.
 */
class BeginningTest {
    static final List<Beginning.Row> ROWS = Beginning.TABLE;

    private static final int LENGTH = 1504;

    @TempDir
    private Path temp;

    private Path folder;

    /** Each by itself says that the journal was used. */
    enum Sign {
        A_RECORD,
        A_TAILER,
        A_SNAPSHOT,
        A_NUMBER_THAT_IS_NOT_THE_FIRST
    }

    @BeforeEach
    void createFolder() throws IOException {
        folder = Files.createDirectory(temp.resolve("journal"));
    }

    @ParameterizedTest
    @FieldSource("ROWS")
    void isDecidedAsTheTableSays(Beginning.Row row) throws Exception {
        byte[] image = neverUsed();
        if (row.beside() == Beginning.Beside.USE) {
            sign(Sign.A_TAILER);
        }
        write(
                1,
                switch (row.kind()) {
                    case BLANK -> blank(image);
                    case SHORT -> Arrays.copyOf(image, 100);
                    case NO_SEGMENT -> flipped(image, 0);
                    case DAMAGED -> flipped(image, 40);
                    case VALID, OTHER_VERSION -> throw new AssertionError(row.kind() + " is not decided here");
                });
        expect(row.decision());
    }

    @ParameterizedTest
    @EnumSource(Sign.class)
    void isRefusedWithoutAHeaderWhenAnythingSaysThatItWasUsed(Sign sign) throws Exception {
        write(sign == Sign.A_NUMBER_THAT_IS_NOT_THE_FIRST ? 2 : 1, blank(sign == Sign.A_RECORD ? used() : neverUsed()));
        sign(sign);
        expect(Beginning.REFUSE);
    }

    @Test
    void hasARowForEachCaseThatCanOccurAndNoRowTwice() {
        Set<String> cases = new HashSet<>();
        for (Beginning.Row row : ROWS) {
            assertThat(cases.add(row.kind() + " " + row.beside())).isTrue();
        }
        assertThat(cases).hasSize(4 * Beginning.Beside.values().length);
        assertThatThrownBy(() -> Beginning.of(SegmentHeader.Kind.VALID, Beginning.Beside.USE))
                .isInstanceOf(IllegalStateException.class);
    }

    private void expect(Beginning decision) throws IOException {
        for (RecoveryPolicy policy : RecoveryPolicy.values()) {
            Recovery recovery = new Recovery(FileStorage.open(folder), config(), policy);
            if (decision == Beginning.NEW) {
                assertThat(recovery.examine().segments()).isZero();
            } else {
                assertThatThrownBy(recovery::examine)
                        .isInstanceOf(JournalCorruptException.class)
                        .hasMessageContaining("does not begin with the header");
                assertThatThrownBy(new Recovery(FileStorage.open(folder), config(), policy)::run)
                        .isInstanceOf(JournalCorruptException.class);
            }
        }
        if (decision == Beginning.NEW) {
            try (Journal journal = Journal.open(folder, config())) {
                assertThat(journal.nextSequence()).isEqualTo(1);
            }
        }
    }

    private void sign(Sign sign) throws IOException {
        if (sign == Sign.A_TAILER) {
            Files.createFile(folder.resolve(FileName.tailer("billing")));
        } else if (sign == Sign.A_SNAPSHOT) {
            Files.createFile(folder.resolve(FileName.snapshot(1)));
        }
    }

    private void write(int number, byte[] image) throws IOException {
        Files.write(folder.resolve(FileName.of(number)), image);
    }

    /** Returns a segment with a header, the first mark and a record. */
    private byte[] used() throws IOException {
        Path live = temp.resolve("live");
        MemorySegment memory = Arena.ofAuto().allocate(Frame.align(LENGTH), Frame.ALIGNMENT);
        JournalRecord.header(memory, 0, LENGTH, (short) 1, (byte) 1, (byte) 0);
        try (Journal journal = Journal.open(live, config())) {
            journal.append(memory, 0, Frame.align(LENGTH));
            journal.commit();
            return Files.readAllBytes(live.resolve(FileName.of(1)));
        }
    }

    private byte[] neverUsed() throws IOException {
        byte[] image = used();
        Arrays.fill(image, SegmentHeader.BYTES + Mark.BYTES, image.length, (byte) 0);
        return image;
    }

    private static byte[] blank(byte[] image) {
        Arrays.fill(image, 0, SegmentHeader.BYTES, (byte) 0);
        return image;
    }

    private static byte[] flipped(byte[] image, int at) {
        image[at] ^= 1;
        return image;
    }

    private static JournalConfig config() {
        return JournalConfig.at(Durability.SYNC).withSegmentBytes(64 << 10).withPrepareInBackground(false);
    }
}
