package io.slipstream.journal.tool;

import io.slipstream.journal.format.Mark;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.segment.SegmentScan;
import java.io.IOException;
import java.time.Instant;

/** Shows records, marks and segments of a walk, one line each. For one thread. */
final class RecordListing {
    private final Report report;
    private final PayloadText payloads;
    private final Selection selection;

    RecordListing(Report report, PayloadText payloads, Selection selection) {
        this.report = report;
        this.payloads = payloads;
        this.selection = selection;
    }

    /** Shows what comes next, up to an end or damage, and returns which of them it has come to. */
    FolderWalk.Step show(FolderWalk walk) throws IOException {
        while (true) {
            FolderWalk.Step step = walk.next();
            switch (step) {
                case SEGMENT -> {
                    printSegment(walk);
                }
                case MARK -> {
                    if (selection.marks() && walk.scan().nextSequence() >= selection.from()) {
                        printMark(walk.scan());
                    }
                }
                case RECORD -> {
                    SegmentScan scan = walk.scan();
                    if (scan.nextSequence() - 1 > selection.to()) {
                        return FolderWalk.Step.END;
                    }
                    if (selection.holds(
                            scan.nextSequence() - 1, JournalRecord.type(scan.memory(), scan.memoryOffset()))) {
                        printRecord(scan);
                    }
                }
                case DAMAGE, END -> {
                    return step;
                }
            }
        }
    }

    /** Shows the segment that the walk is in, if marks are wanted. */
    void printSegment(FolderWalk walk) {
        if (!selection.marks()) {
            return;
        }
        SegmentHeader header = walk.header();
        report.line("segment")
                .with("number", header.number())
                .with("base", header.baseSequence())
                .with("epoch", header.epoch())
                .with("durable", header.durableSequence())
                .with("time", Instant.ofEpochMilli(header.timeMillis()))
                .with("file", walk.fileName())
                .print();
    }

    private void printMark(SegmentScan scan) {
        byte flags = JournalRecord.flags(scan.memory(), scan.memoryOffset());
        report.line("mark")
                .with("offset", scan.offset())
                .with("next", scan.nextSequence())
                .with("epoch", scan.epoch())
                .with("durable", Mark.durableSequence(scan.memory(), scan.memoryOffset()))
                .with("time", Instant.ofEpochMilli(Mark.timeMillis(scan.memory(), scan.memoryOffset())))
                .with("state", (flags & Mark.OPENED) != 0 ? "opened" : (flags & Mark.CLOSED) != 0 ? "closed" : "batch")
                .print();
    }

    private void printRecord(SegmentScan scan) {
        Report.Line line = report.line("record")
                .with("sequence", scan.nextSequence() - 1)
                .with("offset", scan.offset())
                .with("epoch", scan.epoch())
                .with("type", JournalRecord.type(scan.memory(), scan.memoryOffset()))
                .with("version", JournalRecord.version(scan.memory(), scan.memoryOffset()))
                .with("flags", JournalRecord.flags(scan.memory(), scan.memoryOffset()))
                .with("bytes", scan.length() - JournalRecord.HEADER_BYTES);
        payloads.addTo(line, scan.memory(), scan.memoryOffset(), scan.length()).print();
    }
}
