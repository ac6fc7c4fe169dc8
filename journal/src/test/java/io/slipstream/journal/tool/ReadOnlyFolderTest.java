package io.slipstream.journal.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.Tailer;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.Storage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only looks at a journal does so on a device that is full or read-only. */
class ReadOnlyFolderTest {
    private static final Set<String> READING =
            Set.of("description", "list", "openForReading", "usableBytes", "backgroundTasks", "close");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @TempDir
    Path folder;

    @BeforeEach
    void fillTheFolder() throws Exception {
        JournalConfig config = JournalConfig.at(Durability.SYNC)
                .withSegmentBytes(16 << 10)
                .withPreparedSegments(1)
                .withPrepareInBackground(false);
        try (Journal journal = Journal.open(folder, config);
                Tailer tailer = journal.tailer("billing")) {
            for (int i = 0; i < 100; i++) {
                MemorySegment frame = Arena.ofAuto().allocate(1_024, Frame.ALIGNMENT);
                JournalRecord.header(frame, 0, 1_024, (short) 7, (byte) 1, (byte) 0);
                journal.append(frame, 0, 1_024);
                journal.commit();
            }
            assertThat(tailer.name()).isEqualTo("billing");
        }
    }

    @Test
    void itIsVerifiedCountedListedAndShown() throws Exception {
        Report report = new Report(new PrintStream(out, true, StandardCharsets.UTF_8), false);
        try (JournalTool tool = new JournalTool(readOnly(), report, List.of())) {
            assertThat(tool.verify()).isTrue();
            assertThat(tool.stat()).isTrue();
            assertThat(tool.snapshots()).isTrue();
            assertThat(tool.dump(Selection.ALL)).isTrue();
            assertThat(tool.lastSequences(10)).isEqualTo(91);
            tool.index(false);
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("good", "records 100");
    }

    @Test
    void itsRecordsAreReadFromAnyOn() throws Exception {
        List<Long> sequences = new ArrayList<>();
        try (RecordWalk walk = new RecordWalk(readOnly(), 42)) {
            long count = walk.poll((memory, offset, length) -> sequences.add(JournalRecord.sequence(memory, offset)));
            assertThat(count).isEqualTo(59);
        }
        assertThat(sequences).isEqualTo(LongStream.rangeClosed(42, 100).boxed().toList());
    }

    /** As a device does that is read-only: nothing can be written, created, renamed or removed. */
    private Storage readOnly() throws IOException {
        Storage storage = FileStorage.openExisting(folder);
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (proxy, method, arguments) -> {
                    if (!READING.contains(method.getName())) {
                        throw new IOException("Read-only file system: " + method.getName());
                    }
                    try {
                        return method.invoke(storage, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
