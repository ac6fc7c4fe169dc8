package io.slipstream.journal.tool;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.RecoveryPolicy;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.PositionFile;
import io.slipstream.journal.recovery.Cut;
import io.slipstream.journal.recovery.Findings;
import io.slipstream.journal.recovery.Recovered;
import io.slipstream.journal.recovery.Recovery;
import io.slipstream.journal.recovery.Stray;
import io.slipstream.journal.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/** Cuts a damaged journal off so that it can be opened again, or says what that would do. For one thread. */
final class Repair {
    private final Storage storage;
    private final Report report;

    Repair(Storage storage, Report report) {
        this.storage = storage;
        this.report = report;
    }

    /** Says what would be done. */
    boolean tell() throws IOException {
        Findings findings = FolderCheck.examine(storage, RecoveryPolicy.SALVAGE);
        boolean lacksBeginning = Recovery.lacksBeginning(storage);
        List<String> back = broughtBack(findings.ahead());
        if (findings.isClean()
                && findings.strays().isEmpty()
                && back.isEmpty()
                && findings.damagedNotes().isEmpty()
                && !lacksBeginning) {
            report.line("would").with("do", "nothing").print();
        }
        if (lacksBeginning) {
            report.line("would")
                    .with("do", "begin")
                    .with("first", findings.lastSequence() - findings.records() + 1)
                    .print();
        }
        if (!findings.isClean()) {
            report.line("would")
                    .with("do", "cut")
                    .with("file", findings.file())
                    .with("offset", findings.offset())
                    .with("bytes", findings.bytesBehind())
                    .with("keep-records", findings.records())
                    .withDetail("found", findings.found())
                    .print();
        }
        for (Stray stray : findings.strays()) {
            report.line("would")
                    .with("do", "wipe")
                    .with("file", stray.file().name())
                    .with("offset", stray.from())
                    .with("bytes", stray.to() - stray.from())
                    .print();
        }
        for (String what : findings.damagedNotes()) {
            report.line("would")
                    .with("do", "write-anew")
                    .withDetail("found", what)
                    .print();
        }
        for (String name : back) {
            report.line("would")
                    .with("do", "bring-back")
                    .with("file", name)
                    .with("to", broughtBackTo(name, findings.lastSequence()))
                    .print();
        }
        return true;
    }

    /** Does it; returns whether the journal can be opened then. */
    boolean run() throws IOException {
        try (Closeable _ = storage.lock()) {
            boolean lacksBeginning = Recovery.lacksBeginning(storage);
            Recovered repaired = new Recovery(storage, JournalConfig.at(Durability.SYNC), RecoveryPolicy.SALVAGE).run();
            Recovered.Found found = repaired.findings();
            Cut cut = found.cut();
            boolean whole = cut == null
                    && found.wiped().isEmpty()
                    && found.ahead().isEmpty()
                    && found.renewed().isEmpty()
                    && !lacksBeginning;
            Report.Line line = report.line(whole ? "whole" : "repaired")
                    .with("records", repaired.records())
                    .with("last", repaired.lastSequence());
            if (cut != null) {
                line.with("cut", cut.bytes())
                        .with("file", cut.file())
                        .with("offset", cut.offset())
                        .with("kept-in", cut.keptIn())
                        .withDetail("found", cut.reason());
            }
            line.print();
            if (lacksBeginning) {
                report.line("begins").with("first", repaired.firstSequence()).print();
            }
            for (Cut wiped : found.wiped()) {
                report.line("wiped")
                        .with("file", wiped.file())
                        .with("offset", wiped.offset())
                        .with("bytes", wiped.bytes())
                        .with("kept-in", wiped.keptIn())
                        .print();
            }
            for (String what : found.renewed()) {
                report.line("written-anew").withDetail("found", what).print();
            }
            for (String name : found.ahead()) {
                report.line("brought-back")
                        .with("file", name)
                        .with("to", broughtBackTo(name, repaired.lastSequence()))
                        .print();
            }
            return true;
        }
    }

    /** Returns those that are ahead, and the positions that have one good slot left, which a repair goes back to. */
    private List<String> broughtBack(List<String> ahead) throws IOException {
        SequencedSet<String> names = new LinkedHashSet<>(ahead);
        for (String name : storage.list().stream().sorted().toList()) {
            if (FileName.isPosition(name) && !name.equals(FileName.CLOSED) && !name.equals(FileName.TRIMMED)) {
                PositionFile.Content content = PositionFile.find(storage, name).orElse(null);
                if (content != null && content.isPresent() && !content.isWhole()) {
                    names.add(name);
                }
            }
        }
        return List.copyOf(names);
    }

    /** Returns where a file stands that is brought back: a good slot that was left may be before the last record. */
    private long broughtBackTo(String name, long last) throws IOException {
        if (!FileName.isPosition(name)) {
            return last;
        }
        return PositionFile.find(storage, name)
                .filter(PositionFile.Content::isPresent)
                .map(content -> Math.min(content.sequence(), last))
                .orElse(last);
    }
}
