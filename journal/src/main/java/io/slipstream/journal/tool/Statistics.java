package io.slipstream.journal.tool;

import io.slipstream.journal.Snapshot;
import io.slipstream.journal.Snapshots;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.Mark;
import io.slipstream.journal.format.PositionFile;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.segment.SegmentScan;
import io.slipstream.journal.storage.Storage;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;

/** Counts what is in a folder, up to the first damage. For one thread. */
final class Statistics {
    private final Storage storage;
    private final Report report;

    Statistics(Storage storage, Report report) {
        this.storage = storage;
        this.report = report;
    }

    /** Counts what is there, up to the first damage. Returns whether there is none. */
    boolean print() throws IOException {
        boolean good = true;
        Totals totals = totals();
        Report.Line line = report.line("journal")
                .with("folder", storage.description())
                .with("segments", totals.segments)
                .with("records", totals.records)
                .with("first", totals.firstSequence)
                .with("last", totals.lastSequence)
                .with("epoch", totals.epoch)
                .with("payload-bytes", totals.payloadBytes);
        if (totals.records > 0) {
            line.with("from", Instant.ofEpochMilli(totals.firstMillis))
                    .with("to", Instant.ofEpochMilli(totals.lastMillis));
        }
        line.print();
        totals.byType.forEach((type, counts) -> report.line("type")
                .with("type", type)
                .with("records", counts[0])
                .with("payload-bytes", counts[1])
                .print());
        for (String name : storage.list().stream().sorted().toList()) {
            Optional<String> tailer = FileName.parseTailer(name);
            if (tailer.isPresent()) {
                good &= printTailer(tailer.get(), totals.lastSequence);
            } else if (FileName.parseSkip(name).isPresent()) {
                report.line("skip")
                        .with("sequence", FileName.parseSkip(name).getAsLong())
                        .print();
            } else if (name.endsWith(".cut")) {
                report.line("cut").with("file", name).print();
            }
        }
        good &= snapshots();
        return good && !totals.damaged;
    }

    /** Says where a tailer is; returns whether its file does. */
    private boolean printTailer(String name, long lastSequence) throws IOException {
        try {
            long position = PositionFile.read(storage, FileName.tailer(name));
            report.line("tailer")
                    .with("name", name)
                    .with("position", position)
                    .with("behind", lastSequence - position)
                    .print();
            return true;
        } catch (IOException e) {
            boolean gone = !storage.list().contains(FileName.tailer(name));
            if (!gone) {
                report.line("tailer")
                        .with("name", name)
                        .withDetail("damage", String.valueOf(e.getMessage()))
                        .print();
            }
            return gone;
        }
    }

    /** Lists the snapshots and checks them. Returns whether all are whole. */
    boolean snapshots() throws IOException {
        boolean good = true;
        int count = 0;
        for (long sequence : Snapshots.sequences(storage)) {
            Snapshot snapshot = Snapshots.verify(storage, sequence);
            if (snapshot == null && !storage.list().contains(FileName.snapshot(sequence))) {
                continue;
            }
            count++;
            good &= snapshot != null;
            Report.Line line =
                    report.line("snapshot").with("sequence", sequence).with("whole", snapshot != null);
            if (snapshot != null) {
                line.with("records", snapshot.records())
                        .with("bytes", snapshot.bytes())
                        .with("time", snapshot.time());
            }
            line.print();
        }
        report.line("snapshots").with("count", count).print();
        return good;
    }

    private Totals totals() throws IOException {
        Totals totals = new Totals();
        try (FolderWalk walk = new FolderWalk(storage)) {
            FolderWalk.Step step = walk.next();
            while (step != FolderWalk.Step.END && step != FolderWalk.Step.DAMAGE) {
                totals.add(step, walk);
                step = walk.next();
            }
            if (step == FolderWalk.Step.DAMAGE) {
                totals.damaged = true;
                walk.printDamage(report);
            }
        }
        return totals;
    }

    /** Sums over a whole journal. */
    private static final class Totals {
        private final TreeMap<Short, long[]> byType = new TreeMap<>();
        private boolean damaged;
        private int segments;
        private int epoch;
        private long records;
        private long payloadBytes;
        private long firstSequence;
        private long lastSequence;
        private long firstMillis;
        private long lastMillis;

        void add(FolderWalk.Step step, FolderWalk walk) {
            SegmentScan scan = walk.scan();
            if (step == FolderWalk.Step.SEGMENT) {
                segments++;
                firstSequence = segments == 1 ? walk.header().baseSequence() : firstSequence;
                firstMillis = segments == 1 ? walk.header().timeMillis() : firstMillis;
                lastSequence = walk.header().baseSequence() - 1;
                return;
            }
            epoch = scan.epoch();
            if (step == FolderWalk.Step.MARK) {
                lastMillis = Mark.timeMillis(scan.memory(), scan.memoryOffset());
                return;
            }
            int bytes = scan.length() - JournalRecord.HEADER_BYTES;
            records++;
            payloadBytes += bytes;
            lastSequence = scan.nextSequence() - 1;
            long[] counts =
                    byType.computeIfAbsent(JournalRecord.type(scan.memory(), scan.memoryOffset()), type -> new long[2]);
            counts[0]++;
            counts[1] += bytes;
        }
    }
}
