package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.RecoveryPolicy;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalLockedException;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.record.RecordHandler;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JournalTest {
    private static final int SEGMENT = 32 << 10;

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(Durability.class)
    void readsBackWhatWasCommittedAlsoAfterItWasOpenedAgain(Durability durability) throws Exception {
        JournalConfig config = small(durability);
        try (Journal journal = Journal.open(folder, config)) {
            assertThat(journal.nextSequence()).isEqualTo(1);
            Records.appendAndCommit(journal, "one", "two", "");
            Records.appendAndCommit(journal, "four");
            journal.flush();
            assertThat(journal.durableSequence().getAcquire()).isEqualTo(4);
            assertThat(Records.read(journal, 1)).containsExactly("one", "two", "", "four");
        }
        try (Journal journal = Journal.open(folder, config)) {
            assertThat(journal.recovery())
                    .isEqualTo(new RecoveryReport(
                            1, 4, journal.recovery().bytes(), 1, 4, 2, true, null, List.of(), List.of(), List.of(), 0));
            Records.appendAndCommit(journal, "five");
            journal.flush();
            assertThat(Records.read(journal, 1)).containsExactly("one", "two", "", "four", "five");
        }
        try (Journal journal = Journal.open(folder, config)) {
            assertThat(Records.read(journal, 4)).containsExactly("four", "five");
        }
    }

    @Test
    void fillsTheFieldsThatItOwnsInTheMemoryOfTheCaller() throws Exception {
        try (Journal journal = Journal.open(folder, small(Durability.PROCESS));
                FrameRing ring = new FrameRing(1024)) {
            FramePoller poller = ring.newPoller();
            long position = ring.tryClaim(JournalRecord.HEADER_BYTES - Frame.HEADER_BYTES + 5);
            long offset = ring.offset(position);
            JournalRecord.header(ring.memory(), offset, JournalRecord.HEADER_BYTES + 5, (short) 3, (byte) 1, (byte) 2);
            ring.publish(position);
            int bytes = poller.peekRun(1024);
            journal.append(ring.memory(), poller.runOffset(), bytes);
            journal.commit();
            assertThat(JournalRecord.sequence(ring.memory(), offset)).isEqualTo(1);
            assertThat(JournalRecord.epoch(ring.memory(), offset)).isEqualTo(1);
            assertThat(Frame.tag(ring.memory(), offset)).isNotZero();
            assertThat(JournalRecord.type(ring.memory(), offset)).isEqualTo((short) 3);
        }
    }

    @Test
    void makesNothingDurableBeforeItIsCommitted() throws Exception {
        try (Journal journal = Journal.open(folder, small(Durability.SYNC))) {
            Records.append(journal, "waits");
            assertThat(journal.nextSequence()).isEqualTo(2);
            assertThat(journal.durableSequence().getAcquire()).isZero();
            assertThat(Records.read(journal, 1)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void goesThroughManySegmentsWithFramesOfAllSizes(Durability durability) throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        List<String> expected = new ArrayList<>();
        JournalConfig config = small(durability).withBatchBytes(4096);
        for (int opening = 0; opening < 4; opening++) {
            try (Journal journal = Journal.open(folder, config)) {
                for (int i = 0; i < 120; i++) {
                    List<String> batch = new ArrayList<>();
                    int count = random.nextInt(1, 12);
                    for (int k = 0; k < count; k++) {
                        batch.add(text(random, random.nextInt(10) == 0 ? 20000 / count : 200));
                    }
                    Records.append(journal, batch.toArray(String[]::new));
                    expected.addAll(batch);
                    if (random.nextInt(3) == 0) {
                        journal.commit();
                    }
                }
                journal.commit();
                journal.flush();
                assertThat(Records.read(journal, 1)).as("seed %d", seed).isEqualTo(expected);
            }
        }
        assertThat(Files.list(folder)
                        .filter(f -> f.toString().endsWith(".journal"))
                        .count())
                .isGreaterThan(5);
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void goesOnInAnotherWriteModeAtEachOpening(Durability durability) throws Exception {
        List<String> expected = new ArrayList<>();
        for (WriteMode mode : List.of(
                WriteMode.MAPPED,
                WriteMode.BUFFERED,
                WriteMode.DIRECT,
                WriteMode.DSYNC,
                WriteMode.MAPPED,
                WriteMode.DIRECT)) {
            try (Journal journal = Journal.open(folder, small(durability).withWriteMode(mode))) {
                for (int i = 0; i < 100; i++) {
                    String payload = mode + " " + i + "x".repeat(i);
                    Records.appendAndCommit(journal, payload, "b");
                    expected.addAll(List.of(payload, "b"));
                }
                journal.flush();
                assertThat(Records.read(journal, 1)).isEqualTo(expected);
            } catch (JournalException e) {
                assertThat(mode).as(e.getMessage()).isEqualTo(WriteMode.DIRECT);
                assertThat(e.getMessage()).contains("cannot write past the page cache");
            }
        }
    }

    @Test
    void acceptsAFrameThatIsLargerThanTheBatchBuffer() throws Exception {
        JournalConfig config = small(Durability.SYNC).withSegmentBytes(64 << 10).withBatchBytes(4096);
        String large = "x".repeat(40_000);
        try (Journal journal = Journal.open(folder, config)) {
            Records.append(journal, "small");
            Records.appendAndCommit(journal, large);
            Records.appendAndCommit(journal, large, "small");
            assertThat(Records.read(journal, 1)).containsExactly("small", large, large, "small");
        }
    }

    @Test
    void aReaderFollowsTheDurableSequenceThroughTheSegments() throws Exception {
        try (Journal journal = Journal.open(folder, small(Durability.PROCESS));
                JournalReader reader = journal.reader(1)) {
            List<String> seen = new ArrayList<>();
            RecordHandler handler = (memory, offset, length) -> seen.add(Records.payload(memory, offset, length));
            assertThat(reader.poll(handler, 10)).isZero();
            for (int i = 0; i < 500; i++) {
                Records.append(journal, "record " + i);
                assertThat(reader.poll(handler, 10)).isZero();
                Records.appendAndCommit(journal, "another " + i);
                assertThat(reader.poll(handler, 10)).isEqualTo(2);
                assertThat(seen).endsWith("record " + i, "another " + i);
            }
        }
    }

    @Test
    void refusesWhatIsNoRecordAndAcceptsNothingOfThatCall() throws Exception {
        try (Journal journal = Journal.open(folder, small(Durability.PROCESS))) {
            MemorySegment frames = Records.frames(List.of("good", "bad"));
            int bytes = (int) frames.byteSize();
            assertThatThrownBy(() -> journal.append(frames, 0, bytes - 16))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a frame at offset 32 with 16 bytes to the end cannot have the length 27");
            assertThatThrownBy(() -> journal.append(frames, 0, bytes - 4))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("has 27 bytes, and 32 with the padding that belongs to it");
            JournalRecord.header(frames, 32, 27, (short) -1, (byte) 0, (byte) 0);
            assertThatThrownBy(() -> journal.append(frames, 0, bytes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the record at offset 32 has type -1; negative types are the journal's own");
            Frame.length(frames, 32, -32);
            assertThatThrownBy(() -> journal.append(frames, 0, bytes)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> journal.append(frames, 0, 0)).isInstanceOf(IllegalArgumentException.class);
            assertThat(journal.nextSequence()).isEqualTo(1);
        }
    }

    @Test
    void refusesMemoryThatIsTooShortAndGoesOn() throws Exception {
        try (Journal journal = Journal.open(folder, small(Durability.PROCESS))) {
            MemorySegment frames = Records.frames(List.of("x".repeat(100)));
            MemorySegment half = frames.asSlice(0, 64);
            int bytes = (int) frames.byteSize();
            assertThatThrownBy(() -> journal.append(half, 0, bytes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("there are no " + bytes + " bytes from offset 0 on in memory of 64 bytes");
            for (long offset : new long[] {-16, 16, Long.MAX_VALUE - 16, Long.MIN_VALUE}) {
                assertThatThrownBy(() -> journal.append(frames, offset, bytes))
                        .isInstanceOf(IllegalArgumentException.class);
            }
            assertThatThrownBy(() -> journal.append(half, 0, 64)).isInstanceOf(IllegalArgumentException.class);
            assertThat(journal.failure()).isNull();
            MemorySegment heap = MemorySegment.ofArray(frames.toArray(ValueLayout.JAVA_BYTE));
            journal.append(heap, 0, bytes);
            journal.append(MemorySegment.ofArray(new byte[bytes + 3]).asSlice(3).copyFrom(frames), 0, bytes);
            journal.commit();
            assertThat(Records.read(journal, 1)).containsExactly("x".repeat(100), "x".repeat(100));
        }
    }

    @Test
    void refusesASecondOpeningAndNamesTheFolder() throws Exception {
        Journal first = Journal.open(folder, small(Durability.PROCESS));
        assertThatThrownBy(() -> Journal.open(folder, small(Durability.PROCESS)))
                .isInstanceOf(JournalLockedException.class)
                .hasMessageContaining(folder.toString());
        first.close();
        Journal.open(folder, small(Durability.PROCESS)).close();
    }

    @Test
    void refusesAFileInThePlaceOfTheFolder() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> Journal.open(file, small(Durability.PROCESS)))
                .isInstanceOf(JournalException.class)
                .hasMessage(file + " is not a folder; name a folder for the journal");
    }

    /** At SYNC what was flushed is in the files and can still be lost; what was only appended is in no file. */
    @Test
    void readersSeeWhatIsNotDurableYetOnlyIfTheyAskForIt() throws Exception {
        try (Journal journal = Journal.open(folder, small(Durability.SYNC));
                JournalReader durable = journal.reader(1);
                JournalReader written = journal.reader(1, ReadLimit.WRITTEN)) {
            Records.append(journal, "one", "two");
            assertThat(poll(written)).isEmpty();
            journal.flush();
            Records.append(journal, "three");
            assertThat(poll(durable)).isEmpty();
            assertThat(poll(written)).containsExactly("one", "two");
            journal.commit();
            assertThat(poll(durable)).containsExactly("one", "two", "three");
            assertThat(poll(written)).containsExactly("three");
        }
    }

    private static List<String> poll(JournalReader reader) throws JournalException {
        List<String> payloads = new ArrayList<>();
        reader.poll((memory, offset, length) -> payloads.add(Records.payload(memory, offset, length)), 10);
        return payloads;
    }

    @Test
    void leavesSalvageToTheTool() {
        assertThatThrownBy(() -> small(Durability.SYNC).withPolicy(RecoveryPolicy.SALVAGE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("slipstream journal repair");
    }

    @Test
    void refusesToReadWhatIsBeyondItsBeginning() throws Exception {
        try (Journal journal = Journal.open(folder, small(Durability.PROCESS))) {
            assertThatThrownBy(() -> journal.reader(0))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("record 0 is no longer in the journal");
            assertThat(journal.read(5, (memory, offset, length) -> {})).isZero();
        }
    }

    @Test
    void isNoLongerUsableOnceClosed() throws Exception {
        Journal journal = Journal.open(folder, small(Durability.PROCESS));
        journal.close();
        journal.close();
        assertThatThrownBy(() -> Records.append(journal, "late"))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("is closed");
    }

    private static JournalConfig small(Durability durability) {
        return JournalConfig.at(durability).withSegmentBytes(SEGMENT);
    }

    private static String text(SplittableRandom random, int max) {
        int length = random.nextInt(max);
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return text.toString();
    }
}
