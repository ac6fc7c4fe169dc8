package io.slipstream.journal.tool;

import io.slipstream.journal.Snapshots;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.RecoveryPolicy;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.PositionFile;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.recovery.Findings;
import io.slipstream.journal.recovery.Recovery;
import io.slipstream.journal.recovery.SegmentFile;
import io.slipstream.journal.segment.RunCheck;
import io.slipstream.journal.segment.SegmentIndex;
import io.slipstream.journal.segment.Window;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads everything in a folder, checks it, and reports what is wrong. For one thread. */
final class FolderCheck {
    private final Storage storage;
    private final Report report;
    private final Window window = new Window(1 << 20);
    private boolean good = true;
    private boolean empty;

    FolderCheck(Storage storage, Report report) {
        this.storage = storage;
        this.report = report;
    }

    /**
     * Looks twice if need be: beside a running service, what was not whole at first may only have been being written.
     */
    static Findings examine(Storage storage, RecoveryPolicy policy) throws IOException {
        Findings first = examineOnce(storage, policy);
        if (first.isClean()) {
            return first;
        }
        Findings second = examineOnce(storage, policy);
        return second.lastSequence() > first.lastSequence() ? first.outgrown() : second;
    }

    private static Findings examineOnce(Storage storage, RecoveryPolicy policy) throws IOException {
        return SegmentFile.lookBesideTrims(
                storage, () -> new Recovery(storage, JournalConfig.at(Durability.SYNC), policy).examine());
    }

    /** Checks segments, indexes, snapshots and positions of tailers; returns whether all is well. */
    boolean run() throws IOException {
        checkRecords();
        Set<String> names = new TreeSet<>(storage.list());
        for (String name : names) {
            try {
                check(name, names);
            } catch (IOException e) {
                finding(name, String.valueOf(e.getMessage()));
            }
        }
        report.line(!good ? "bad" : empty ? "empty" : "good").print();
        return good;
    }

    private void checkRecords() throws IOException {
        try {
            Findings findings = examine(storage, RecoveryPolicy.TAIL);
            empty = findings.segments() == 0;
            report.line("journal")
                    .with("records", findings.records())
                    .with("last", findings.lastSequence())
                    .with("segments", findings.segments())
                    .with("end", findings.isClean() ? "clean" : findings.decision())
                    .print();
            if (!findings.isClean()) {
                String page = findings.page().isEmpty()
                        ? findings.found()
                                + ": what an interrupted write leaves. The next opening cuts it off and keeps it aside"
                        : findings.page();
                report.line("finding")
                        .with("file", findings.file())
                        .with("offset", findings.offset())
                        .with("decision", findings.decision())
                        .withDetail("page", page)
                        .print();
                good = false;
            }
        } catch (JournalException e) {
            report.line("finding")
                    .withDetail("page", String.valueOf(e.getMessage()))
                    .print();
            good = false;
        }
    }

    private void check(String name, Set<String> names) throws IOException {
        OptionalLong snapshot = FileName.parseSnapshot(name);
        if (snapshot.isPresent() && Snapshots.verify(storage, snapshot.getAsLong()) == null) {
            finding(name, "this snapshot is not whole; an older one is used instead");
        }
        Optional<PositionFile.Content> position =
                FileName.isPosition(name) ? PositionFile.find(storage, name) : Optional.empty();
        if (position.isPresent()
                && !name.equals(FileName.TRIMMED)
                && !name.equals(FileName.CLOSED)
                && !position.get().isWhole()) {
            PositionFile.read(storage, name);
        }
        if (name.equals(FileName.TRIMMED)
                && position.isPresent()
                && !position.get().isWhole()) {
            finding(
                    name,
                    position.get().isPresent()
                            ? position.get().damage() + "; the next opening writes it anew"
                            : "this file holds no valid position; the next repair of a journal that does not begin with"
                                    + " record 1 writes it anew; another one that opens well writes it anew then");
        }
        if (name.equals(FileName.CLOSED)
                && position.isPresent()
                && !position.get().isWhole()) {
            finding(
                    name,
                    position.get().damage()
                            + "; nothing tells whether records are missing at the end, so that the journal is not"
                            + " opened. Restore the file from a copy; without one `slipstream journal repair` writes it"
                            + " anew");
        }
        OptionalLong number = FileName.parse(name);
        if (number.isPresent()) {
            checkSize(name, SegmentFile.read(storage, number.getAsLong()).header());
        }
        if (number.isPresent() && names.contains(FileName.index(number.getAsLong()))) {
            checkIndex(number.getAsLong());
        }
    }

    /** A segment has its full size before anything is written into it. */
    private void checkSize(String name, @Nullable SegmentHeader header) throws IOException {
        try (StorageFile file = storage.openForReading(name)) {
            if (header != null && file.size() < header.bytes()) {
                finding(
                        name,
                        "this file has " + file.size() + " bytes and was made with " + header.bytes()
                                + ": whatever was behind is lost, and nothing tells how much that was."
                                + " Restore the file from a copy if there is one;"
                                + " without it the next opening goes on with the records that are left, or refuses if"
                                + " something proves that there were more");
            }
        }
    }

    private void checkIndex(long number) throws IOException {
        SegmentHeader header = SegmentFile.read(storage, number).header();
        SegmentIndex index = header == null ? null : SegmentIndex.load(storage, header);
        if (header != null && index != null && index.end() != null && good) {
            checkRuns(header, index);
        }
        if (header != null && index == null) {
            finding(
                    FileName.index(number),
                    "this index is damaged or cannot be read, or is of another version or segment; its segment is read"
                            + " frame by frame instead. Write it anew with `slipstream journal index --build "
                            + storage.description() + "`");
        }
    }

    /**
     * Frames that are good may still not be those that were written here, as in a block of another journal of version
     * 1.
     */
    private void checkRuns(SegmentHeader header, SegmentIndex index) throws IOException {
        String name = FileName.of(header.number());
        try (StorageFile file = storage.openForReading(name)) {
            if (!RunCheck.provesAll(index, file, window)) {
                finding(
                        name,
                        "every frame in this file is good, but not all of its bytes are those that "
                                + FileName.index(header.number())
                                + " was made of: a part of it may come from another journal."
                                + " Compare it with a copy");
            }
        }
    }

    /** Beside a running service a file may be gone by now because nobody needs it any more. */
    private void finding(String file, String page) throws IOException {
        if (!storage.list().contains(file)) {
            return;
        }
        report.line("finding").with("file", file).withDetail("page", page).print();
        good = false;
    }
}
