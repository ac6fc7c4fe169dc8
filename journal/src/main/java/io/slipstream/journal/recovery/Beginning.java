package io.slipstream.journal.recovery;

import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.Mark;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.segment.Window;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.util.List;

/**
 * What is to be done about a journal whose first segment has no good header.
 *
 * <p>A crash leaves that only while the journal is being created: its first file has its full size, durably, before it
 * has its name, and its header and the first mark are durable before anyone can use it.
 */
enum Beginning {
    /** It was never used: begin anew. */
    NEW,

    /** The header was there once, or the file is none of the journal's. */
    REFUSE;

    /** What there is beside the header. */
    enum Beside {
        /** Nothing but what is written together with the header. */
        NOTHING,
        /**
         * What is there only once the journal has been opened: further bytes, a tailer, a snapshot; or a number that is
         * not the first.
         */
        USE
    }

    /** One row of the table. */
    record Row(SegmentHeader.Kind kind, Beside beside, Beginning decision) {}

    /** The whole table. */
    static final List<Row> TABLE = List.of(
            new Row(SegmentHeader.Kind.BLANK, Beside.NOTHING, NEW),
            new Row(SegmentHeader.Kind.BLANK, Beside.USE, REFUSE),
            new Row(SegmentHeader.Kind.SHORT, Beside.NOTHING, REFUSE),
            new Row(SegmentHeader.Kind.SHORT, Beside.USE, REFUSE),
            new Row(SegmentHeader.Kind.NO_SEGMENT, Beside.NOTHING, REFUSE),
            new Row(SegmentHeader.Kind.NO_SEGMENT, Beside.USE, REFUSE),
            new Row(SegmentHeader.Kind.DAMAGED, Beside.NOTHING, REFUSE),
            new Row(SegmentHeader.Kind.DAMAGED, Beside.USE, REFUSE));

    /** Looks the decision up. */
    static Beginning of(SegmentHeader.Kind kind, Beside beside) {
        for (Row row : TABLE) {
            if (row.kind == kind && row.beside == beside) {
                return row.decision;
            }
        }
        throw new IllegalStateException("no row for " + kind + ", " + beside);
    }

    /** Looks at what there is beside the header of the first segment. */
    static Beside beside(Storage storage, SegmentFile first, Window window) throws IOException {
        if (first.number() != 1) {
            return Beside.USE;
        }
        for (String name : storage.list()) {
            if (FileName.isPosition(name) || FileName.parseSnapshot(name).isPresent()) {
                return Beside.USE;
            }
        }
        try (StorageFile file = storage.openForReading(first.name())) {
            TailInspection rest = new TailInspection(window);
            rest.inspect(file, SegmentHeader.BYTES + Mark.BYTES);
            return rest.dataEnd() < 0 ? Beside.NOTHING : Beside.USE;
        }
    }
}
