package io.slipstream.architecture.interrupts;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.architecture.Small;
import io.slipstream.core.memory.Region;
import io.slipstream.journal.Journal;
import io.slipstream.journal.JournalReader;
import io.slipstream.journal.Snapshot;
import io.slipstream.journal.SnapshotWriter;
import io.slipstream.journal.Tailer;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.storage.DeviceSectors;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.ForwardingStorage;
import io.slipstream.journal.storage.ForwardingStorageFile;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.RecordWalk;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** What a call of {@code journal} needs. */
final class JournalProbes {
    private JournalProbes() {}

    static void addTo(InterruptProbes probes) {
        probes.made(JournalConfig.class, values -> Small.journal());
        probes.made(Journal.class, values -> aJournal(values.newPath()));
        probes.made(FileStorage.class, JournalProbes::aStorage);
        probes.made(Storage.class, JournalProbes::aStorage);
        probes.made(StorageFile.class, values -> values.of(FileStorage.class).open(InterruptProbes.TEXT));
        probes.made(ForwardingStorage.class, values -> new ForwardingStorage(aStorage(values)) {});
        probes.made(ForwardingStorageFile.class, values -> new ForwardingStorageFile(values.of(StorageFile.class)) {});
        probes.made(Snapshot.class, JournalProbes::aSnapshot);
        probes.works(Journal.class, JournalProbes::requireWriting);
        probes.works(Tailer.class, tailer -> tailer.poll((memory, offset, length) -> {}, 1));
        probes.works(JournalReader.class, reader -> reader.poll((memory, offset, length) -> {}, 1));
        probes.works(Storage.class, storage -> {
            try (StorageFile file = storage.create("another")) {
                file.writeFully(ByteBuffer.allocate(8), 0);
            }
            storage.delete("another");
        });
        probes.works(StorageFile.class, file -> {
            file.size();
            file.read(ByteBuffer.allocate(8), 0);
        });
        for (Class<?> type : List.of(Storage.class, FileStorage.class, ForwardingStorage.class)) {
            probes.given(type, "create", String.class, values -> "new");
        }
        for (Class<?> type : List.of(StorageFile.class, ForwardingStorageFile.class)) {
            probes.given(
                    type,
                    "forceMapped",
                    MemorySegment.class,
                    values -> values.of(Region.class).segment());
        }
        probes.given(JournalTool.class, Path.class, JournalProbes::aJournalFolder);
        probes.given(JournalTool.class, "copy", Path.class, Values::newPath);
        probes.given(RecordWalk.class, Path.class, JournalProbes::aJournalFolder);
        probes.given(FileStorage.class, "openExisting", Path.class, JournalProbes::aJournalFolder);
        probes.given(FileStorage.class, "syncAbove", Path.class, JournalProbes::aJournalFolder);
        probes.given(DeviceSectors.class, Path.class, JournalProbes::aJournalFolder);
    }

    private static Journal aJournal(Path folder) throws Exception {
        Journal journal = Journal.open(folder, Small.journal());
        requireWriting(journal);
        return journal;
    }

    private static void requireWriting(Journal journal) throws Exception {
        journal.append(JdkProbes.frames(), 0, InterruptProbes.FRAME_BYTES);
        journal.commit();
        journal.flush();
        long[] seen = new long[1];
        journal.read(journal.nextSequence() - 1, (memory, offset, length) -> seen[0]++);
        assertThat(seen[0]).isEqualTo(1);
    }

    private static Snapshot aSnapshot(Values values) throws Exception {
        Journal journal = values.of(Journal.class);
        try (SnapshotWriter writer = journal.snapshots().begin(1)) {
            writer.append(JdkProbes.frames(), 0, InterruptProbes.FRAME_BYTES);
            writer.commit();
        }
        return journal.snapshots().newest().orElseThrow();
    }

    static Path aJournalFolder(Values values) throws Exception {
        Path path = values.newPath();
        aJournal(path).close();
        return path;
    }

    private static FileStorage aStorage(Values values) throws Exception {
        FileStorage storage = FileStorage.open(aJournalFolder(values));
        try (StorageFile file = storage.create(InterruptProbes.TEXT)) {
            file.writeFully(ByteBuffer.allocate(4096), 0);
        }
        return storage;
    }
}
