package io.slipstream.journal.recovery;

import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.storage.Storage;
import java.util.Locale;

/** The words with which a damaged journal is refused. */
final class Refusal {
    private Refusal() {}

    static String page(Storage storage, String file, SegmentWalk stop, String evidence, Decision decision) {
        long sequence = stop.nextSequence();
        String meaning = switch (decision) {
            case REFUSE_CORRUPT ->
                "Record " + sequence + " had been durable (so says " + evidence
                        + "): this is damage, and no interrupted write.";
            case REFUSE_DAMAGED ->
                "All of it had been written, so this is damage and no interrupted write. Record " + sequence
                        + " and those behind it may have been acknowledged.";
            case REFUSE_TORN ->
                "It looks like an interrupted write of record " + sequence + ", but the policy STRICT cuts nothing.";
            default -> throw new IllegalArgumentException("no refusal: " + decision);
        };
        return String.format(
                Locale.ROOT,
                """
                the journal in %s is damaged and was not opened; nothing was changed.
                  where:   %s, offset %d
                  found:   %s
                  missing: record %d; every record before it is intact
                  meaning: %s
                  to do:   restore the file from a copy if there is one. Otherwise look at it with
                           `slipstream journal verify %s`, and cut it there with `slipstream journal repair %s`,
                           which keeps what it cuts off and loses record %d and all behind it.\
                """,
                storage.description(),
                file,
                stop.stopOffset(),
                stop.finding(),
                sequence,
                meaning,
                storage.description(),
                storage.description(),
                sequence);
    }

    static JournalCorruptException missingSegment(Storage storage, String missing, String present) {
        return new JournalCorruptException(
                missing,
                0,
                "the journal in " + storage.description() + " has no file " + missing + " although " + present
                        + " is there; nothing was changed. Put the missing file back");
    }

    static JournalCorruptException noSegments(Storage storage, String trace) {
        return new JournalCorruptException(
                FileName.of(1),
                0,
                "the journal in " + storage.description()
                        + " has lost all its segments: " + trace
                        + " is there, and it follows records; nothing was changed. Put the"
                        + " segments back, or move what is left away to begin a new journal");
    }

    static JournalCorruptException missingBeginning(Storage storage, SegmentHeader first, String damage) {
        String name = FileName.of(first.number());
        return new JournalCorruptException(
                name,
                0,
                "the journal in " + storage.description() + " begins with record "
                        + first.baseSequence() + ", in " + name
                        + ", and nothing says that the segments before it were trimmed (that would stand in "
                        + FileName.TRIMMED + (damage.isEmpty() ? "" : ", but " + damage)
                        + "); nothing was changed. Put the missing files back. Without them "
                        + "`slipstream journal repair " + storage.description()
                        + "` lets the journal begin there, and what rests on the records before"
                        + " is lost");
    }

    static JournalCorruptException damagedClosing(Storage storage, String damage, long last) {
        return new JournalCorruptException(
                FileName.CLOSED,
                0,
                FileName.CLOSED + " in " + storage.description() + " is damaged: " + damage
                        + "; nothing was changed. It says which record was the last one when the journal was closed,"
                        + " so that nothing tells now whether records are missing behind record " + last
                        + ", the last one that is there. Restore the file from a copy if there is one."
                        + " Otherwise `slipstream journal repair " + storage.description()
                        + "` writes it anew for the records that are there");
    }

    static JournalCorruptException foreignSegment(Storage storage, String name) {
        return new JournalCorruptException(
                name,
                0,
                name + " in " + storage.description()
                        + " belongs to another journal or to another place in this one; nothing was changed. Move it"
                        + " away");
    }

    static JournalCorruptException bytesBehindEnd(Storage storage, String name, long offset) {
        return new JournalCorruptException(
                name,
                offset,
                name + " in " + storage.description()
                        + " has a byte at offset "
                        + offset
                        + ", behind its end, that is not zero and that nobody has written; no record is lost, but the"
                        + " device has changed it; nothing was changed. Restore the file from a copy, or run"
                        + " `slipstream journal repair`");
    }

    static JournalCorruptException badHeader(Storage storage, SegmentFile file) {
        return new JournalCorruptException(
                file.name(),
                0,
                file.name() + " in " + storage.description()
                        + ", the first segment, does not begin with the header of a segment (offset 0: " + file.kind()
                        + "); nothing was changed. Restore the file from a copy,"
                        + " or move it away if it is none of the journal's");
    }
}
