package io.slipstream.journal;

import io.slipstream.journal.segment.SegmentHeader;
import io.slipstream.journal.segment.SegmentName;
import io.slipstream.journal.segment.SegmentSupply;
import io.slipstream.journal.segment.TailerPosition;
import io.slipstream.journal.storage.Storage;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** What of a journal must be kept, and how the rest is removed. */
final class Retention {
    private Retention() {
    }

    /**
     * Returns the sequence of the first record that must be kept, {@code wanted} at most. While there is one whole snapshot
     * alone, everything is kept: the state before it is the beginning.
     */
    static long bound(Storage storage, Snapshots snapshots, long wanted) throws IOException {
        long bound = wanted;
        if (!Snapshots.sequences(storage).isEmpty()) {
            List<Snapshot> valid = snapshots.valid();
            bound = Math.min(bound, valid.size() < 2 ? 0 : valid.getFirst().sequence() + 1);
        }
        for (String name : storage.list()) {
            Optional<String> tailer = SegmentName.parseTailer(name);
            if (tailer.isPresent()) {
                bound = Math.min(bound, TailerPosition.readDurable(storage, tailer.get()) + 1);
            }
        }
        return bound;
    }

    /** Removes a segment, oldest first, so that a crash in between leaves no gap. */
    static void remove(Storage storage, SegmentSupply supply, SegmentHeader oldest) throws IOException {
        String index = SegmentName.index(oldest.number());
        if (storage.list().contains(index)) {
            storage.delete(index);
        }
        supply.retire(SegmentName.of(oldest.number()));
    }
}
