package io.slipstream.journal.tool;

import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalVersionException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.recovery.SegmentFile;
import io.slipstream.journal.segment.SegmentIndex;
import io.slipstream.journal.segment.SegmentScan;
import io.slipstream.journal.segment.Window;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Walks through the frames of all segments of a folder, which may be growing. For one thread. */
final class FolderWalk implements AutoCloseable {
    private static final int WINDOW_BYTES = 1 << 20;
    private static final String MISSING = "this file is missing, or it was trimmed while this command was reading";

    private final Storage storage;
    private final Window window = new Window(WINDOW_BYTES);
    private @Nullable StorageFile file;
    private @Nullable SegmentHeader header;
    private @Nullable SegmentScan scan;

    /** What the walk has come to. */
    enum Step {
        SEGMENT,
        RECORD,
        MARK,
        DAMAGE,
        END
    }

    FolderWalk(Storage storage) {
        this.storage = storage;
    }

    /** Begins at a mark before the record {@code sequence}, or at the oldest record. */
    void seek(long sequence) throws IOException {
        if (SegmentFile.lookBesideTrims(storage, () -> openHolding(sequence))) {
            SegmentIndex index = SegmentIndex.load(storage, header());
            SegmentIndex.Entry entry = index == null ? null : index.floorOfSequence(sequence);
            if (entry != null) {
                scan().skipTo(entry.offset(), entry.sequence(), entry.epoch());
            }
        }
    }

    /** Opens the segment that holds {@code sequence}, or the oldest one; returns whether there is one. */
    private boolean openHolding(long sequence) throws IOException {
        SegmentHeader best = null;
        for (SegmentFile candidate : readable(SegmentFile.list(storage))) {
            SegmentHeader found = candidate.header();
            if (found != null && (best == null || found.baseSequence() <= sequence)) {
                best = found;
            }
        }
        if (best != null) {
            open(best);
        }
        return best != null;
    }

    /** Goes a step further; at an end it looks again, the next time, for what has come since. */
    Step next() throws IOException {
        if (scan == null) {
            return goOn();
        }
        SegmentScan.Step step = scan().next();
        if (step == SegmentScan.Step.END || step == SegmentScan.Step.DAMAGE) {
            // A live segment may have grown since it was read ahead.
            scan().refresh();
            step = scan().next();
        }
        return switch (step) {
            case RECORD -> Step.RECORD;
            case MARK -> Step.MARK;
            case DAMAGE -> {
                requireNotTrimmed();
                yield Step.DAMAGE;
            }
            case END -> goOn();
        };
    }

    /** Goes on in the next segment, once nothing more can come in this one. */
    private Step goOn() throws IOException {
        try {
            return enterFollowing();
        } catch (NoSuchFileException e) {
            return SegmentFile.lookBesideTrims(storage, this::enterFollowing);
        }
    }

    private Step enterFollowing() throws IOException {
        SegmentHeader following = following();
        if (following == null) {
            return Step.END;
        }
        if (scan != null && following.baseSequence() != scan().nextSequence()) {
            scan().refresh();
            SegmentScan.Step grown = scan().next();
            if (grown == SegmentScan.Step.RECORD || grown == SegmentScan.Step.MARK) {
                return grown == SegmentScan.Step.RECORD ? Step.RECORD : Step.MARK;
            }
            requireNotTrimmed();
            throw refused(
                    FileName.of(following.number()),
                    "it begins with record " + following.baseSequence() + " although record " + scan().nextSequence()
                            + " is due");
        }
        open(following);
        return Step.SEGMENT;
    }

    SegmentScan scan() {
        SegmentScan current = scan;
        if (current == null) {
            throw new IllegalStateException("no segment");
        }
        return current;
    }

    SegmentHeader header() {
        SegmentHeader current = header;
        if (current == null) {
            throw new IllegalStateException("no segment");
        }
        return current;
    }

    /** Returns whether the walk is in a segment. */
    boolean isInSegment() {
        return header != null;
    }

    String fileName() {
        return file == null ? "" : file.name();
    }

    /** Says where and what the damage is that {@link #next} has come to. */
    void printDamage(Report report) {
        report.line("damage")
                .with("file", fileName())
                .with("offset", scan().offset())
                .with("found", scan().damage())
                .print();
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }

    static List<SegmentFile> readable(List<SegmentFile> files) throws JournalException {
        for (SegmentFile file : files) {
            if (file.kind() == SegmentHeader.Kind.OTHER_VERSION) {
                throw new JournalVersionException(file.name(), file.version(), SegmentHeader.VERSION);
            }
        }
        return files;
    }

    private @Nullable SegmentHeader following() throws IOException {
        long last = header == null ? 0 : header.number();
        SegmentFile following = fileBehind(last);
        if (following == null) {
            return null;
        }
        SegmentHeader found = readable(List.of(following)).getFirst().header();
        if (found == null) {
            if (following.kind() == SegmentHeader.Kind.BLANK || following.kind() == SegmentHeader.Kind.SHORT) {
                return null;
            }
            throw refused(following.name(), "its header is damaged");
        }
        if (scan != null && following.number() != last + 1) {
            throw refused(FileName.of(last + 1), MISSING);
        }
        return found;
    }

    private @Nullable SegmentFile fileBehind(long last) throws IOException {
        if (last > 0) {
            try {
                return SegmentFile.read(storage, last + 1);
            } catch (NoSuchFileException e) {
                // It was the last one, or there is one behind a gap.
            }
        }
        OptionalLong number = SegmentFile.numbers(storage).stream()
                .mapToLong(Long::longValue)
                .filter(n -> n > last)
                .findFirst();
        return number.isEmpty() ? null : SegmentFile.read(storage, number.getAsLong());
    }

    /** The file of a trimmed segment may be another one by now, which is no damage. */
    private void requireNotTrimmed() throws IOException {
        if (header != null && !SegmentFile.numbers(storage).contains(header.number())) {
            throw refused(FileName.of(header.number()), MISSING);
        }
    }

    private JournalCorruptException refused(String name, String why) {
        return new JournalCorruptException(
                name,
                0,
                "cannot read on in " + storage.description() + " at " + name + ": "
                        + why
                        + ". Look at all of it with `slipstream journal verify " + storage.description() + "`");
    }

    /** Goes to the beginning of a segment. */
    void open(SegmentHeader next) throws IOException {
        StorageFile opened = storage.openForReading(FileName.of(next.number()));
        close();
        file = opened;
        header = next;
        scan = new SegmentScan(opened, next, window);
    }
}
