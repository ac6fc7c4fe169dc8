package io.slipstream.journal.recovery;

import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.PositionFile;
import io.slipstream.journal.storage.Storage;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What follows the records of a journal in files of its own: positions of tailers, and snapshots. When records are gone, by a loss
 * of power below SYNC or by a repair, what had followed them must be brought back before others take their sequences: a tailer would
 * never see the new ones, and a snapshot would hold the effects of the old ones.
 */
final class Followers {
    private Followers() {
    }

    /**
     * Moves every position that is ahead of {@code last}, the last record that is there, back to it, and puts every snapshot that is
     * ahead aside; all of it durably.
     *
     * @return the names of the files that were ahead
     */
    static List<String> bringBack(Storage storage, long last, int epoch) throws IOException {
        List<String> ahead = new ArrayList<>();
        for (String name : storage.list().stream().sorted().toList()) {
            OptionalLong snapshot = FileName.parseSnapshot(name);
            if (isPosition(name) && PositionFile.bringBack(storage, name, last)) {
                ahead.add(name);
            } else if (snapshot.isPresent() && snapshot.getAsLong() > last) {
                storage.rename(name, FileName.free(storage, FileName.cutSnapshot(snapshot.getAsLong(), epoch)));
                storage.syncDirectory();
                ahead.add(name);
            }
        }
        return List.copyOf(ahead);
    }

    /** Returns the file names and sequences of all that follow the records, and changes nothing; without files that hold no position. */
    static SortedMap<String, Long> sequences(Storage storage) throws IOException {
        SortedMap<String, Long> sequences = new TreeMap<>();
        for (String name : storage.list()) {
            OptionalLong snapshot = FileName.parseSnapshot(name);
            if (snapshot.isPresent()) {
                sequences.put(name, snapshot.getAsLong());
            } else if (isPosition(name)) {
                OptionalLong sequence = PositionFile.find(storage, name);
                if (sequence.isPresent()) {
                    sequences.put(name, sequence.getAsLong());
                }
            }
        }
        return sequences;
    }

    private static boolean isPosition(String name) {
        return name.equals(FileName.TRIMMED) || FileName.parseTailer(name).isPresent();
    }
}
