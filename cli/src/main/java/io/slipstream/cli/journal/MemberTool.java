package io.slipstream.cli.journal;

import io.slipstream.cluster.files.MemberCheck;
import io.slipstream.cluster.files.MemberCopy;
import io.slipstream.cluster.files.MemberRecords;
import io.slipstream.journal.tool.RecordPrinter;
import io.slipstream.service.protocol.Message;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the journal commands say of the log of a cluster's member. Nothing is written to the member's folder. */
final class MemberTool {
    private static final long PAUSE_MILLIS = 100;
    /* What is half written while it is read is whole a moment later. */
    private static final int ATTEMPTS = 5;

    private final Path directory;
    private final RecordPrinter out;

    MemberTool(Path directory, RecordPrinter out) {
        this.directory = directory;
        this.out = out;
    }

    /** Shows the records that are wanted; returns whether nothing is damaged. */
    boolean dump(boolean follow) throws IOException, InterruptedException {
        MemberRecords records = MemberRecords.of(directory, (place, memory, offset, length) -> {
            Map<String, Long> where = new LinkedHashMap<>();
            where.put("position", place.position());
            where.put("term", place.term());
            where.put("member", (long) place.member());
            out.print(Message.sequence(memory, offset), where, memory, offset, length);
        });
        int damaged = 0;
        while (!out.isBroken()) {
            damaged = records.read() ? 0 : damaged + 1;
            if (damaged == ATTEMPTS) {
                out.print("damage", Map.of("found", String.valueOf(records.damage())));
                return false;
            }
            if (damaged == 0 && !follow) {
                return true;
            }
            Thread.sleep(PAUSE_MILLIS);
        }
        return true;
    }

    /** Returns the sequence from which on there are the last {@code count} records. */
    long lastSequences(long count) throws IOException {
        MemberRecords records = MemberRecords.of(directory, (place, memory, offset, length) -> {});
        records.read();
        return Math.max(1, records.lastSequence() - count + 1);
    }

    /** Reads everything and checks it; returns whether all is whole. */
    boolean verify() throws IOException {
        List<MemberCheck.Finding> findings = MemberCheck.of(directory);
        for (MemberCheck.Finding finding : findings) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("recording", finding.recording());
            facts.put("start", finding.start());
            facts.put("end", finding.end());
            if (!finding.isWhole()) {
                facts.put("damage", finding.damage());
            }
            out.print(finding.what(), facts);
        }
        return findings.stream().allMatch(MemberCheck.Finding::isWhole);
    }

    /** Copies what the member keeps of its log, and checks the copy; returns whether it is whole. */
    boolean copy(Path target, Collection<String> companions) throws IOException {
        out.print("copied", Map.of("end", MemberCopy.make(directory, target, companions)));
        return new MemberTool(target, out).verify();
    }
}
