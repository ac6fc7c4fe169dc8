package io.slipstream.journal.recovery;

import java.util.List;

/**
 * What there is to be found without changing anything.
 *
 * @param segments     that hold good records
 * @param records      that are good, up to the first damage
 * @param lastSequence of them
 * @param file         where they end
 * @param offset       where in that file
 * @param found        there
 * @param bytesBehind  bytes from there on
 * @param decision     what would be done about them
 * @param page         the whole story, if the journal would be refused, or an empty text
 * @param strays       bytes behind the ends of full segments, which a repair would wipe
 * @param damagedNotes positions of the journal itself that are damaged, each with what is wrong with it
 * @param ahead        files that are ahead of the last record, which opening would bring back
 */
public record Findings(
        int segments,
        long records,
        long lastSequence,
        String file,
        long offset,
        String found,
        long bytesBehind,
        Decision decision,
        String page,
        List<Stray> strays,
        List<String> damagedNotes,
        List<String> ahead) {
    /** Returns whether the journal ends cleanly. */
    public boolean isClean() {
        return decision == Decision.CONTINUE;
    }

    /** Returns the same about a journal that has grown since: what was not whole then was only being written. */
    public Findings outgrown() {
        return new Findings(
                segments,
                records,
                lastSequence,
                file,
                offset,
                found,
                0,
                Decision.CONTINUE,
                "",
                strays,
                damagedNotes,
                ahead);
    }
}
