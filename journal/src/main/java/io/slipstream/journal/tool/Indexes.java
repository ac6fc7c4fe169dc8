package io.slipstream.journal.tool;

import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.Mark;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.recovery.SegmentFile;
import io.slipstream.journal.segment.SegmentIndex;
import io.slipstream.journal.segment.SegmentScan;
import io.slipstream.journal.storage.Storage;
import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The indexes of the segments of a folder. For one thread. */
final class Indexes {
    private final Storage storage;
    private final Report report;

    Indexes(Storage storage, Report report) {
        this.storage = storage;
        this.report = report;
    }

    /** Lists the segments and whether they have an index; if {@code build}, writes those that are missing. */
    void list(boolean build) throws IOException {
        List<SegmentFile> files = FolderWalk.readable(SegmentFile.list(storage));
        Set<String> names = new HashSet<>(storage.list());
        long last = files.stream()
                .filter(file -> file.header() != null)
                .mapToLong(SegmentFile::number)
                .max()
                .orElse(0);
        for (SegmentFile file : files) {
            SegmentHeader header = file.header();
            if (header == null) {
                report.line("segment")
                        .with("number", file.number())
                        .with("header", file.kind())
                        .print();
                continue;
            }
            SegmentIndex index = SegmentIndex.load(storage, header);
            boolean full = file.number() < last;
            boolean damaged = index == null && names.contains(FileName.index(file.number()));
            if (index == null && build && full) {
                index = build(header);
                index.save(storage, header);
            }
            report.line("segment")
                    .with("number", header.number())
                    .with("base", header.baseSequence())
                    .with("epoch", header.epoch())
                    .with("begun", Instant.ofEpochMilli(header.timeMillis()))
                    .with(
                            "index",
                            index == null
                                    ? damaged ? "damaged" : full ? "missing" : "not yet"
                                    : index.size() + " entries")
                    .print();
        }
    }

    private SegmentIndex build(SegmentHeader header) throws IOException {
        SegmentIndex index = new SegmentIndex();
        try (FolderWalk walk = new FolderWalk(storage)) {
            walk.open(header);
            FolderWalk.Step step = walk.next();
            while (walk.header().number() == header.number()
                    && (step == FolderWalk.Step.RECORD || step == FolderWalk.Step.MARK)) {
                SegmentScan scan = walk.scan();
                if (step == FolderWalk.Step.MARK && index.isDue(scan.offset())) {
                    index.add(
                            scan.offset(),
                            scan.nextSequence(),
                            scan.epoch(),
                            Mark.timeMillis(scan.memory(), scan.memoryOffset()),
                            0);
                }
                step = walk.next();
            }
        }
        return index;
    }
}
