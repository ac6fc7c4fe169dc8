package io.slipstream.journal.recovery;

import io.slipstream.journal.segment.SegmentName;
import io.slipstream.journal.segment.TailerPosition;
import io.slipstream.journal.storage.Storage;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

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
            Optional<String> tailer = SegmentName.parseTailer(name);
            OptionalLong snapshot = SegmentName.parseSnapshot(name);
            if (tailer.isPresent() && TailerPosition.bringBack(storage, tailer.get(), last)) {
                ahead.add(name);
            } else if (snapshot.isPresent() && snapshot.getAsLong() > last) {
                storage.rename(name, SegmentName.free(storage, SegmentName.cutSnapshot(snapshot.getAsLong(), epoch)));
                storage.syncDirectory();
                ahead.add(name);
            }
        }
        return List.copyOf(ahead);
    }
}
