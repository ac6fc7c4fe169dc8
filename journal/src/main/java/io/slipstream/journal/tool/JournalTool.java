package io.slipstream.journal.tool;

import io.slipstream.journal.PayloadFormat;
import io.slipstream.journal.Snapshot;
import io.slipstream.journal.Snapshots;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.RecoveryPolicy;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.Mark;
import io.slipstream.journal.format.PositionFile;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.recovery.Cut;
import io.slipstream.journal.recovery.Recovered;
import io.slipstream.journal.recovery.Recovery;
import io.slipstream.journal.recovery.SegmentFile;
import io.slipstream.journal.recovery.Stray;
import io.slipstream.journal.segment.SegmentIndex;
import io.slipstream.journal.segment.SegmentScan;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.Storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** What can be asked about a journal from outside. Each method writes its answer to the report. For one thread. */
public final class JournalTool implements AutoCloseable {
    private static final long FOLLOW_MILLIS = 100;

    private final Storage storage;
    private final Report report;
    private final PayloadText payloads;

    /**
     * Creates a tool for the journal in {@code folder}, with the formats that the {@link ServiceLoader} finds.
     *
     * @throws JournalException if there is no journal
     */
    public JournalTool(Path folder, Report report) throws IOException {
        this(FileStorage.openExisting(folder), report, formats());
    }

    JournalTool(Storage storage, Report report, List<PayloadFormat> formats) throws IOException {
        if (SegmentFile.numbers(storage).isEmpty()) {
            throw new JournalException("there is no journal in " + storage.description() + ": it has no file "
                    + FileName.of(1) + " or one with a higher number");
        }
        this.storage = storage;
        this.report = report;
        this.payloads = new PayloadText(formats);
    }

    /**
     * Shows records, as text one below the other, with their payloads. Stops at damage and says so; returns whether
     * there is none.
     */
    public boolean dump(Selection selection) throws IOException {
        try (FolderWalk walk = new FolderWalk(storage)) {
            walk.seek(selection.from());
            if (walk.isInSegment() && selection.marks()) {
                printSegment(walk);
            }
            if (show(walk, selection) != FolderWalk.Step.DAMAGE) {
                return true;
            }
            printDamage(walk);
            return false;
        }
    }

    /**
     * Shows the records from {@code from} on and then those that come, until the thread is interrupted, or there is damage
     * that stays. Returns whether there is none.
     */
    public boolean follow(Selection selection) throws IOException {
        try (FolderWalk walk = new FolderWalk(storage)) {
            walk.seek(selection.from());
            long damagedAt = -1;
            while (!report.isBroken()) {
                boolean damaged = show(walk, selection) == FolderWalk.Step.DAMAGE;
                if (damaged && walk.scan().offset() == damagedAt) {
                    printDamage(walk);
                    return false;
                }
                damagedAt = damaged ? walk.scan().offset() : -1;
                try {
                    Thread.sleep(FOLLOW_MILLIS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return true;
                }
            }
        }
        return true;
    }

    /** Returns the sequence from which on there are the last {@code count} records. */
    public long lastSequences(long count) throws IOException {
        try (FolderWalk walk = new FolderWalk(storage)) {
            walk.seek(Long.MAX_VALUE);
            FolderWalk.Step step = walk.next();
            while (step == FolderWalk.Step.RECORD || step == FolderWalk.Step.MARK) {
                step = walk.next();
            }
            return walk.isInSegment() ? Math.max(1, walk.scan().nextSequence() - count) : 1;
        }
    }

    /** Reads everything and checks it: segments, indexes, snapshots, positions of tailers. Returns whether all is well. */
    public boolean verify() throws IOException {
        return new FolderCheck(storage, report).run();
    }

    /** Counts what is there, up to the first damage. Returns whether there is none. */
    public boolean stat() throws IOException {
        boolean good = true;
        Totals totals = totals();
        Report.Line line = report.line("journal").with("folder", storage.description()).with("segments", totals.segments)
                .with("records", totals.records).with("first", totals.firstSequence).with("last", totals.lastSequence)
                .with("epoch", totals.epoch).with("payload-bytes", totals.payloadBytes);
        if (totals.records > 0) {
            line.with("from", Instant.ofEpochMilli(totals.firstMillis)).with("to", Instant.ofEpochMilli(totals.lastMillis));
        }
        line.print();
        totals.byType.forEach((type, counts) -> report.line("type").with("type", type).with("records", counts[0])
                .with("payload-bytes", counts[1]).print());
        for (String name : storage.list().stream().sorted().toList()) {
            Optional<String> tailer = FileName.parseTailer(name);
            if (tailer.isPresent()) {
                good &= printTailer(tailer.get(), totals.lastSequence);
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
            report.line("tailer").with("name", name).with("position", position).with("behind", lastSequence - position).print();
            return true;
        } catch (IOException e) {
            boolean gone = !storage.list().contains(FileName.tailer(name));
            if (!gone) {
                report.line("tailer").with("name", name).withDetail("damage", String.valueOf(e.getMessage())).print();
            }
            return gone;
        }
    }

    /** Lists the snapshots and checks them. Returns whether all are whole. */
    public boolean snapshots() throws IOException {
        boolean good = true;
        int count = 0;
        for (long sequence : Snapshots.sequences(storage)) {
            Snapshot snapshot = Snapshots.verify(storage, sequence);
            if (snapshot == null && !storage.list().contains(FileName.snapshot(sequence))) {
                continue;
            }
            count++;
            good &= snapshot != null;
            Report.Line line = report.line("snapshot").with("sequence", sequence).with("whole", snapshot != null);
            if (snapshot != null) {
                line.with("records", snapshot.records()).with("bytes", snapshot.bytes())
                        .with("time", snapshot.time());
            }
            line.print();
        }
        report.line("snapshots").with("count", count).print();
        return good;
    }

    /** Lists the segments and whether they have an index; if {@code build}, writes those that are missing. */
    public void index(boolean build) throws IOException {
        List<SegmentFile> files = FolderWalk.readable(SegmentFile.list(storage));
        for (SegmentFile file : files) {
            SegmentHeader header = file.header();
            if (header == null) {
                report.line("segment").with("number", file.number()).with("header", file.kind()).print();
                continue;
            }
            SegmentIndex index = SegmentIndex.load(storage, header);
            boolean full = file != files.getLast() && hasSuccessor(files, header);
            boolean damaged = index == null && storage.list().contains(FileName.index(file.number()));
            if (index == null && build && full) {
                index = build(header);
                index.save(storage, header);
            }
            report.line("segment").with("number", header.number()).with("base", header.baseSequence())
                    .with("epoch", header.epoch()).with("begun", Instant.ofEpochMilli(header.timeMillis()))
                    .with("index", index == null ? damaged ? "damaged" : full ? "missing" : "not yet" : index.size() + " entries").print();
        }
    }

    /**
     * Cuts a journal off at its first damage and keeps what it cuts aside; wipes bytes behind the ends of full segments; and brings
     * tailers and snapshots that are ahead of the end then back. Where the beginning is missing, it lets the journal begin where it
     * does. Records that had been acknowledged are lost by this, if the damage is in them.
     *
     * @param dryRun whether only to say what would be done
     * @return whether the journal can be opened, or could be after a repair
     */
    public boolean repair(boolean dryRun) throws IOException {
        if (dryRun) {
            Recovery.Findings findings = FolderCheck.examine(storage, RecoveryPolicy.SALVAGE);
            boolean lacksBeginning = Recovery.lacksBeginning(storage);
            if (findings.isClean() && findings.strays().isEmpty() && findings.ahead().isEmpty() && !lacksBeginning) {
                report.line("would").with("do", "nothing").print();
            }
            if (lacksBeginning) {
                report.line("would").with("do", "begin").with("first", findings.lastSequence() - findings.records() + 1).print();
            }
            if (!findings.isClean()) {
                report.line("would").with("do", "cut").with("file", findings.file()).with("offset", findings.offset())
                        .with("bytes", findings.bytesBehind()).with("keep-records", findings.records()).withDetail("found", findings.found())
                        .print();
            }
            for (Stray stray : findings.strays()) {
                report.line("would").with("do", "wipe").with("file", stray.file().name()).with("offset", stray.from())
                        .with("bytes", stray.to() - stray.from()).print();
            }
            for (String name : findings.ahead()) {
                report.line("would").with("do", "bring-back").with("file", name).with("to", findings.lastSequence()).print();
            }
            return true;
        }
        try (Closeable _ = storage.lock()) {
            boolean lacksBeginning = Recovery.lacksBeginning(storage);
            Recovered repaired = new Recovery(storage, config(), RecoveryPolicy.SALVAGE).run();
            Recovered.Found found = repaired.findings();
            Cut cut = found.cut();
            boolean whole = cut == null && found.wiped().isEmpty() && found.ahead().isEmpty() && !lacksBeginning;
            Report.Line line = report.line(whole ? "whole" : "repaired").with("records", repaired.records()).with("last", repaired.lastSequence());
            if (cut != null) {
                line.with("cut", cut.bytes()).with("file", cut.file()).with("offset", cut.offset())
                        .with("kept-in", cut.keptIn()).withDetail("found", cut.reason());
            }
            line.print();
            if (lacksBeginning) {
                report.line("begins").with("first", repaired.firstSequence()).print();
            }
            for (Cut wiped : found.wiped()) {
                report.line("wiped").with("file", wiped.file()).with("offset", wiped.offset()).with("bytes", wiped.bytes())
                        .with("kept-in", wiped.keptIn()).print();
            }
            for (String name : found.ahead()) {
                report.line("brought-back").with("file", name).with("to", repaired.lastSequence()).print();
            }
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        storage.close();
    }

    private FolderWalk.Step show(FolderWalk walk, Selection selection) throws IOException {
        while (true) {
            FolderWalk.Step step = walk.next();
            switch (step) {
                case SEGMENT -> {
                    if (selection.marks()) {
                        printSegment(walk);
                    }
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
                    if (selection.holds(scan.nextSequence() - 1, JournalRecord.type(scan.memory(), scan.memoryOffset()))) {
                        printRecord(scan);
                    }
                }
                case DAMAGE, END -> {
                    return step;
                }
            }
        }
    }

    private void printSegment(FolderWalk walk) {
        SegmentHeader header = walk.header();
        report.line("segment").with("number", header.number()).with("base", header.baseSequence())
                .with("epoch", header.epoch()).with("durable", header.durableSequence())
                .with("time", Instant.ofEpochMilli(header.timeMillis())).with("file", walk.fileName()).print();
    }

    private void printMark(SegmentScan scan) {
        byte flags = JournalRecord.flags(scan.memory(), scan.memoryOffset());
        report.line("mark").with("offset", scan.offset()).with("next", scan.nextSequence()).with("epoch", scan.epoch())
                .with("durable", Mark.durableSequence(scan.memory(), scan.memoryOffset()))
                .with("time", Instant.ofEpochMilli(Mark.timeMillis(scan.memory(), scan.memoryOffset())))
                .with("state", (flags & Mark.OPENED) != 0 ? "opened" : (flags & Mark.CLOSED) != 0 ? "closed" : "batch")
                .print();
    }

    private void printDamage(FolderWalk walk) {
        report.line("damage").with("file", walk.fileName()).with("offset", walk.scan().offset())
                .with("found", walk.scan().damage()).print();
    }

    private void printRecord(SegmentScan scan) {
        Report.Line line = report.line("record").with("sequence", scan.nextSequence() - 1).with("offset", scan.offset())
                .with("epoch", scan.epoch()).with("type", JournalRecord.type(scan.memory(), scan.memoryOffset()))
                .with("version", JournalRecord.version(scan.memory(), scan.memoryOffset()))
                .with("flags", JournalRecord.flags(scan.memory(), scan.memoryOffset()))
                .with("bytes", scan.length() - JournalRecord.HEADER_BYTES);
        payloads.addTo(line, scan.memory(), scan.memoryOffset(), scan.length()).print();
    }

    private SegmentIndex build(SegmentHeader header) throws IOException {
        SegmentIndex index = new SegmentIndex();
        try (FolderWalk walk = new FolderWalk(storage)) {
            walk.seek(header.baseSequence());
            FolderWalk.Step step = walk.next();
            while (walk.header().number() == header.number()
                    && (step == FolderWalk.Step.RECORD || step == FolderWalk.Step.MARK)) {
                SegmentScan scan = walk.scan();
                if (step == FolderWalk.Step.MARK && index.isDue(scan.offset())) {
                    index.add(scan.offset(), scan.nextSequence(), scan.epoch(),
                            Mark.timeMillis(scan.memory(), scan.memoryOffset()), 0);
                }
                step = walk.next();
            }
        }
        return index;
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
                printDamage(walk);
            }
        }
        return totals;
    }

    private static boolean hasSuccessor(List<SegmentFile> files, SegmentHeader header) {
        return files.stream().anyMatch(file -> file.number() > header.number() && file.header() != null);
    }

    private static JournalConfig config() {
        return JournalConfig.at(Durability.SYNC);
    }

    private static List<PayloadFormat> formats() {
        return ServiceLoader.load(PayloadFormat.class).stream().map(ServiceLoader.Provider::get).toList();
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
            long[] counts = byType.computeIfAbsent(JournalRecord.type(scan.memory(), scan.memoryOffset()), type -> new long[2]);
            counts[0]++;
            counts[1] += bytes;
        }
    }
}
