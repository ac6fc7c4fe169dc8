package io.slipstream.journal.tool;

import io.slipstream.journal.Snapshots;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.PositionFile;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.recovery.SegmentFile;
import io.slipstream.journal.segment.SegmentScan;
import io.slipstream.journal.segment.Window;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/**
 * Copies a journal that may be growing.
 *
 * <p>What follows records, snapshots and positions, is copied before them, so that it is never ahead of the copy. The
 * last segment is read once from its beginning and then cut behind its last good frame: a writer only adds behind. If a
 * trim has removed something meanwhile that the copy needs, the copy begins anew. What describes records is copied
 * behind them, so that it is never older than they are. For one thread.
 */
final class FolderCopy {
    private static final int COPY_BYTES = 1 << 20;
    private static final int MOST_ATTEMPTS = 10;

    private final Storage source;
    private final Report report;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(COPY_BYTES);

    FolderCopy(Storage source, Report report) {
        this.source = source;
        this.report = report;
    }

    boolean to(Path target, Collection<String> companions) throws IOException {
        if (Files.exists(target)) {
            throw new JournalException(target + " is there already; name a folder that is not");
        }
        Path part = target.resolveSibling(target.getFileName() + ".part");
        boolean good;
        try (FileStorage copy = FileStorage.open(part)) {
            copyAll(copy);
            copyCompanions(copy, companions);
            good = new FolderCheck(copy, report).run();
        }
        if (good) {
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
            FileStorage.syncAbove(target);
        }
        return good;
    }

    private void copyAll(Storage copy) throws IOException {
        for (int attempt = 1; ; attempt++) {
            for (String name : copy.list()) {
                copy.delete(name);
            }
            try {
                long newest = copyFollowers(copy);
                List<Long> numbers = SegmentFile.numbers(source);
                long first = copySegments(copy, numbers);
                if (first <= newest + 1 || Snapshots.sequences(source).isEmpty()) {
                    return;
                }
            } catch (NoSuchFileException e) {
                if (attempt == MOST_ATTEMPTS) {
                    throw e;
                }
            }
            if (attempt == MOST_ATTEMPTS) {
                throw new JournalException("the journal in " + source.description()
                        + " was trimmed each time that a copy was under way; try again");
            }
        }
    }

    private void copyCompanions(Storage copy, Collection<String> companions) throws IOException {
        for (String name : source.list()) {
            if (companions.contains(name)) {
                copyFile(copy, name);
            }
        }
        copy.syncDirectory();
    }

    /**
     * Copies snapshots, positions of tailers and skips; returns the sequence of the newest snapshot, 0 if there is
     * none.
     */
    private long copyFollowers(Storage copy) throws IOException {
        long newest = 0;
        for (String name : source.list()) {
            OptionalLong snapshot = FileName.parseSnapshot(name);
            if (snapshot.isPresent() || FileName.isPosition(name) && !name.equals(FileName.TRIMMED)) {
                copyFile(copy, name);
                newest = Math.max(newest, snapshot.orElse(0));
            }
        }
        return newest;
    }

    /** Copies segments up to the last record; returns the sequence of the first one. */
    private long copySegments(Storage copy, List<Long> numbers) throws IOException {
        long first = 0;
        SegmentHeader before = null;
        for (long number : numbers) {
            SegmentHeader header = SegmentFile.read(source, number).header();
            if (header == null) {
                break;
            }
            copyFile(copy, FileName.of(number));
            if (before == null) {
                first = header.baseSequence();
            }
            before = header;
        }
        if (before == null) {
            throw new JournalException("there is no record in " + source.description());
        }
        cutBehindLastFrame(copy, before);
        if (first > 1) {
            PositionFile.create(copy, FileName.TRIMMED, before.journalId(), first - 1, true);
        }
        return first;
    }

    private void cutBehindLastFrame(Storage copy, SegmentHeader last) throws IOException {
        try (StorageFile file = copy.open(FileName.of(last.number()))) {
            SegmentScan scan = new SegmentScan(file, last, new Window(COPY_BYTES));
            SegmentScan.Step step = scan.next();
            while (step == SegmentScan.Step.RECORD || step == SegmentScan.Step.MARK) {
                step = scan.next();
            }
            report.line("copied").with("last", scan.nextSequence() - 1).print();
            ByteBuffer zeros = ByteBuffer.allocateDirect(COPY_BYTES);
            for (long at = scan.end(); at < last.bytes(); at += zeros.limit()) {
                zeros.clear().limit((int) Math.min(zeros.capacity(), last.bytes() - at));
                file.writeFully(zeros, at);
            }
            file.force();
        }
    }

    private void copyFile(Storage copy, String name) throws IOException {
        try (StorageFile from = source.openForReading(name);
                StorageFile to = copy.create(name)) {
            for (long at = 0; ; at += buffer.limit()) {
                from.readFully(buffer.clear(), at);
                if (buffer.flip().limit() == 0) {
                    break;
                }
                to.writeFully(buffer, at);
            }
            to.force();
        }
    }
}
