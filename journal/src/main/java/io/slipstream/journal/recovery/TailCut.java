package io.slipstream.journal.recovery;

import io.slipstream.journal.errors.JournalFullException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.segment.Window;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.SequencedSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What lies behind the end of a journal: looks at it, keeps it aside, and wipes it.
 *
 * <p>It is wiped, and not only ignored, so that no later recovery can take it for something that belongs there.
 */
final class TailCut {
    private final Storage storage;
    private final Window window;
    private final List<SegmentFile> files;
    private final int stopIndex;
    private final long stopOffset;
    private final TailInspection inspection;
    private final @Nullable UUID journalId;
    private final SequencedSet<SegmentFile> filesWithBytes = new LinkedHashSet<>();
    private long dataEnd = -1;
    private long bytes;
    private String evidence = "";
    private @Nullable Aside waiting;

    /**
     * Creates the cut.
     *
     * @param journalId of the journal, if it is known
     */
    TailCut(
            Storage storage,
            Window window,
            List<SegmentFile> files,
            int stopIndex,
            SegmentWalk stop,
            @Nullable UUID journalId) {
        this.journalId = journalId;
        this.storage = storage;
        this.window = window;
        this.files = files;
        this.stopIndex = stopIndex;
        this.stopOffset = stop.stopOffset();
        this.inspection = new TailInspection(window, stop.nextSequence(), stop.epoch());
    }

    void inspect() throws IOException {
        for (int i = stopIndex; i < files.size(); i++) {
            SegmentFile file = files.get(i);
            long from = i == stopIndex ? stopOffset : 0;
            try (StorageFile opened = storage.openForReading(file.name())) {
                inspection.inspect(opened, from, seed(file));
            }
            SegmentHeader header = file.header();
            if (i > stopIndex && header != null && inspection.isEvidence(header)) {
                addEvidence(file.name(), 0);
            } else if (inspection.evidenceOffset() >= 0) {
                addEvidence(file.name(), inspection.evidenceOffset());
            }
            if (i == stopIndex) {
                dataEnd = inspection.dataEnd();
                bytes += Math.max(0, dataEnd - from);
            } else if (inspection.dataEnd() >= 0) {
                filesWithBytes.add(file);
                bytes += inspection.dataEnd();
            }
        }
    }

    /** A file without a good header is taken for one of the last version; its number says the rest. */
    private int seed(SegmentFile file) {
        SegmentHeader header = file.header();
        return header != null
                ? header.seed()
                : journalId == null ? 0 : SegmentHeader.seed(SegmentHeader.VERSION, journalId, file.number());
    }

    Decision.Behind behind() {
        if (!evidence.isEmpty()) {
            return Decision.Behind.EVIDENCE;
        }
        return bytes > 0 ? Decision.Behind.BYTES : Decision.Behind.NOTHING;
    }

    /** Returns how many bytes there are, with the gaps between them. */
    long bytes() {
        return bytes;
    }

    /** Returns where it says that the missing record was durable, or an empty text. */
    String evidence() {
        return evidence;
    }

    /**
     * Cuts a torn tail off, once it is kept aside.
     *
     * @param waits whether it may stay where it is, see {@link #waiting}, if there is no room to keep it aside
     * @throws JournalFullException if there is none, and it may not stay
     */
    Cut cut(int epoch, String finding, boolean waits) throws IOException {
        SegmentFile file = files.get(stopIndex);
        String keptIn = "";
        if (dataEnd >= 0) {
            Aside aside = aside(file, stopOffset, dataEnd, epoch);
            try {
                aside.keep();
                aside.wipe();
                keptIn = aside.keptIn();
            } catch (JournalFullException e) {
                if (!waits) {
                    throw e;
                }
                waiting = aside;
            }
        } else {
            keptIn = freeName(filesWithBytes.getFirst().number(), 0, epoch);
        }
        return new Cut(file.name(), stopOffset, bytes, keptIn, finding);
    }

    /** Returns the torn tail that could not be kept aside yet, or null. */
    @Nullable
    Aside waiting() {
        return waiting;
    }

    /** Wipes what lies behind the end of a full segment and keeps it aside. */
    Cut wipe(Stray stray, int epoch) throws IOException {
        Aside aside = aside(stray.file(), stray.from(), stray.to(), epoch);
        aside.keep();
        aside.wipe();
        return new Cut(stray.file().name(), stray.from(), stray.to() - stray.from(), aside.keptIn(), Stray.FINDING);
    }

    /**
     * Removes the files behind the end, those with bytes by giving them other names. The last one goes first, and
     * durably, so that a crash in between leaves no gap. Blank files that can be the next segments stay.
     *
     * @param number of the next segment
     * @param most   of the files that may stay
     * @return how many stay, from {@code number} on
     */
    int removeRest(long number, long size, int epoch, int most) throws IOException {
        int staying = countBlank(number, size, most);
        for (SegmentFile file : files.reversed()) {
            if (file.number() < number + staying) {
                break;
            }
            if (filesWithBytes.contains(file)) {
                storage.rename(file.name(), freeName(file.number(), 0, epoch));
            } else {
                storage.delete(file.name());
            }
            storage.syncDirectory();
        }
        return staying;
    }

    private int countBlank(long number, long size, int most) throws IOException {
        int count = 0;
        for (SegmentFile file : files) {
            if (file.number() == number + count
                    && count < most
                    && !filesWithBytes.contains(file)
                    && sizeOf(file) == size) {
                count++;
            }
        }
        return count;
    }

    private long sizeOf(SegmentFile file) throws IOException {
        try (StorageFile opened = storage.openForReading(file.name())) {
            return opened.size();
        }
    }

    /**
     * Wipes once more what an earlier recovery has cut off behind {@code end}: the force after its wiping may have
     * failed, and then the zeros that are seen now are not on the device.
     */
    void wipeAgain(long number, long end) throws IOException {
        for (String name : storage.list()) {
            OptionalLong offset = FileName.parseCut(name, number);
            if (offset.isPresent() && offset.getAsLong() >= end) {
                try (StorageFile cut = storage.openForReading(name);
                        StorageFile file = storage.open(FileName.of(number))) {
                    Aside.writeZeros(file, offset.getAsLong(), offset.getAsLong() + cut.size());
                    file.force();
                }
            }
        }
    }

    /** Gives a segment that was truncated its full size again; returns how many bytes it had lost. */
    long restoreSize(SegmentHeader header) throws IOException {
        try (StorageFile file = storage.open(FileName.of(header.number()))) {
            long missing = Math.max(0, header.bytes() - file.size());
            if (missing > 0) {
                Aside.writeZeros(file, file.size(), header.bytes());
                file.force();
            }
            return missing;
        }
    }

    /** Writes a part of a segment once more, as it is, and forces it. */
    void writeAgain(SegmentHeader header, long from, long to) throws IOException {
        window.clear();
        try (StorageFile file = storage.open(FileName.of(header.number()))) {
            for (long at = from; at < to; ) {
                int count = (int) Math.min(to - at, window.read(file, at, 1));
                file.writeFully(window.buffer().clear().limit(count), at);
                at += count;
            }
            file.force();
        }
    }

    private void addEvidence(String name, long offset) {
        addEvidence(name + " at offset " + offset);
    }

    /** Adds what says that the missing record was durable. */
    void addEvidence(String what) {
        if (evidence.isEmpty()) {
            evidence = what;
        }
    }

    private String freeName(long number, long offset, int epoch) throws IOException {
        return FileName.free(storage, FileName.cut(number, offset, epoch));
    }

    private Aside aside(SegmentFile file, long from, long to, int epoch) throws IOException {
        return new Aside(storage, file.name(), freeName(file.number(), from, epoch), from, to);
    }
}
