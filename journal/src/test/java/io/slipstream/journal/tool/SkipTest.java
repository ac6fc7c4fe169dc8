package io.slipstream.journal.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalLockedException;
import io.slipstream.journal.record.JournalRecord;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code journal skip} and {@code journal copy}. */
class SkipTest {
    private static final JournalConfig CONFIG =
            JournalConfig.at(Durability.SYNC).withSegmentBytes(16 << 10).withPrepareInBackground(false);

    @TempDir
    Path temp;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void isSeenAtEveryLaterStartUntilItsRecordIsTrimmed() throws Exception {
        Path folder = temp.resolve("journal");
        try (Journal journal = Journal.open(folder, CONFIG)) {
            append(journal, 5);
            assertThat(journal.skips().sequences()).isEmpty();
            assertThatThrownBy(() -> tool(folder).skip(3)).isInstanceOf(JournalLockedException.class);
        }
        tool(folder).skip(3);
        assertThat(text()).contains("skipped  sequence 3");
        for (int opening = 0; opening < 2; opening++) {
            try (Journal journal = Journal.open(folder, CONFIG)) {
                assertThat(journal.skips().sequences()).containsExactly(3);
                assertThat(journal.skips().contains(3)).isTrue();
                assertThat(journal.skips().contains(4)).isFalse();
            }
        }
        assertThat(tool(folder).stat()).isTrue();
        assertThat(text()).contains("skip  sequence 3");
        assertThat(tool(folder).verify()).isTrue();
        try (Journal journal = Journal.open(folder, CONFIG)) {
            append(journal, 10);
            journal.trim(12);
        }
        assertThat(folder.resolve("skip-0000000000000003.position")).doesNotExist();
    }

    @Test
    void isOfARecordThatIsThere() throws Exception {
        Path folder = temp.resolve("journal");
        try (Journal journal = Journal.open(folder, CONFIG)) {
            append(journal, 5);
        }
        assertThatThrownBy(() -> tool(folder).skip(6))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("there is no record 6");
        tool(folder).skip(5);
        Path file = folder.resolve("skip-0000000000000005.position");
        byte[] image = Files.readAllBytes(file);
        image[512 + 24] ^= 1;
        Files.write(file, image);
        assertThatThrownBy(() -> Journal.open(folder, CONFIG)).hasMessageContaining("skip-0000000000000005.position");
    }

    @Test
    void copiesAJournalThatIsOpenAndTrimmed() throws Exception {
        Path folder = temp.resolve("journal");
        Path copy = temp.resolve("copy");
        try (Journal journal = Journal.open(folder, CONFIG)) {
            append(journal, 12);
            journal.tailer("billing").close();
            append(journal, 3);
            assertThat(tool(folder).copy(copy, List.of())).isTrue();
            assertThat(text()).contains("copied  last 15", "good");
            append(journal, 4);
            assertThatThrownBy(() -> tool(folder).copy(copy, List.of())).hasMessageContaining("is there already");
            journal.removeTailer("billing");
            assertThat(journal.trim(9)).isGreaterThan(1);
            assertThat(tool(folder).copy(temp.resolve("later"), List.of())).isTrue();
        }
        try (Journal journal = Journal.open(copy, CONFIG)) {
            assertThat(journal.recovery().lastSequence()).isEqualTo(15);
            assertThat(journal.recovery().cut()).isNull();
            append(journal, 1);
        }
        try (Journal journal = Journal.open(temp.resolve("later"), CONFIG)) {
            assertThat(journal.firstSequence()).isGreaterThan(1);
            assertThat(journal.recovery().lastSequence()).isEqualTo(19);
        }
    }

    @Test
    void copiesNothingDamaged() throws Exception {
        Path folder = temp.resolve("journal");
        try (Journal journal = Journal.open(folder, CONFIG)) {
            append(journal, 12);
        }
        try (var file =
                Files.newByteChannel(folder.resolve("segment-0000000000000001.journal"), StandardOpenOption.WRITE)) {
            file.position(3 * 4096 + 60).write(java.nio.ByteBuffer.wrap(new byte[] {99}));
        }
        assertThat(tool(folder).copy(temp.resolve("copy"), List.of())).isFalse();
        assertThat(temp.resolve("copy")).doesNotExist();
    }

    private JournalTool tool(Path folder) throws Exception {
        return new JournalTool(folder, new Report(new PrintStream(out, true, StandardCharsets.UTF_8), false));
    }

    private String text() {
        String text = out.toString(StandardCharsets.UTF_8);
        out.reset();
        return text;
    }

    private static void append(Journal journal, int count) throws JournalException {
        int length = JournalRecord.HEADER_BYTES + 32;
        MemorySegment frame = Arena.ofAuto().allocate(Frame.align(length), Frame.ALIGNMENT);
        for (int i = 0; i < count; i++) {
            JournalRecord.header(frame, 0, length, (short) 1, (byte) 1, (byte) 0);
            journal.append(frame, 0, (int) frame.byteSize());
            journal.commit();
        }
    }
}
