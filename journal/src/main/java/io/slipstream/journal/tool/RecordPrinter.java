package io.slipstream.journal.tool;

import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.record.PayloadFormat;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Shows records that are not in the files of a journal, as {@link JournalTool#dump} shows those that are. */
public final class RecordPrinter {
    private final Report report;
    private final PayloadText payloads;
    private final Selection selection;

    /** Creates a printer, with {@code more} formats of payloads, which are asked before those that are found. */
    public RecordPrinter(Report report, List<PayloadFormat> more, Selection selection) {
        this.report = report;
        this.payloads = new PayloadText(
                Stream.concat(more.stream(), JournalTool.formats().stream()).toList());
        this.selection = selection;
    }

    /**
     * Shows a record, if it is one of those that are wanted.
     *
     * @param place  where it is
     * @param memory with its header, at {@code offset}, and its payload
     * @param length of both
     */
    public void print(long sequence, Map<String, Long> place, MemorySegment memory, long offset, int length) {
        if (!selection.holds(sequence, JournalRecord.type(memory, offset))) {
            return;
        }
        Report.Line line = report.line("record").with("sequence", sequence);
        place.forEach(line::with);
        line.with("type", JournalRecord.type(memory, offset))
                .with("version", JournalRecord.version(memory, offset))
                .with("flags", JournalRecord.flags(memory, offset))
                .with("bytes", length - JournalRecord.HEADER_BYTES);
        payloads.addTo(line, memory, offset, length).print();
    }

    /** Shows something else, in a line of its own. */
    public void print(String kind, Map<String, ?> facts) {
        Report.Line line = report.line(kind);
        facts.forEach(line::with);
        line.print();
    }

    /** Returns whether anybody can still read this. */
    public boolean isBroken() {
        return report.isBroken();
    }
}
