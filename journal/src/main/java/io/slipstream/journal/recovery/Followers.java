package io.slipstream.journal.recovery;

import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.PositionFile;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.storage.Storage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What follows the records of a journal in files of its own: positions, snapshots and skips.
 *
 * <p>Some of them prove that records were durable: a snapshot is published after the records that it holds were forced,
 * and a position says so itself, also the one that closing leaves. Where the records behind such a proof are missing,
 * the journal is damaged.
 *
 * <p>The others may be ahead after a loss of power below SYNC, or after a repair. They are brought back before other
 * records take the same sequences: a tailer would never see the new ones, and a snapshot would hold the effects of the
 * old ones.
 *
 * @param files in the order of their names, but for the position that closing leaves, which is the last one
 */
record Followers(List<Follower> files) {
    /** What somebody has made of the records is named before what closing has noted. */
    private static final Comparator<String> CLOSED_LAST =
            Comparator.<String, Boolean>comparing(FileName.CLOSED::equals).thenComparing(Comparator.naturalOrder());

    /**
     * A file that follows the records.
     *
     * @param name     of the file
     * @param sequence of the last record that it knows of; -1 if it does not say
     * @param proof    whether the records up to it had been forced when the file was written
     */
    record Follower(String name, long sequence, boolean proof) {}

    /**
     * Looks, and changes nothing.
     *
     * @param journalId of the journal if that is known: what belongs to another one proves nothing
     */
    static Followers look(Storage storage, @Nullable UUID journalId) throws IOException {
        List<Follower> files = new ArrayList<>();
        for (String name : storage.list().stream().sorted(CLOSED_LAST).toList()) {
            OptionalLong snapshot = FileName.parseSnapshot(name);
            if (snapshot.isPresent()) {
                files.add(new Follower(name, snapshot.getAsLong(), isSnapshotOf(storage, name, journalId)));
            } else if (FileName.isPosition(name)) {
                Optional<PositionFile.Content> found = PositionFile.find(storage, name);
                found.ifPresent(content -> files.add(new Follower(
                        name, content.sequence(), content.forced() && (journalId == null || content.isOf(journalId)))));
            }
        }
        return new Followers(List.copyOf(files));
    }

    /** Returns the name of a file that proves that the record {@code sequence} was durable, or an empty text. */
    String proofOf(long sequence) {
        return files.stream()
                .filter(file -> file.proof && file.sequence >= sequence)
                .map(Follower::name)
                .findFirst()
                .orElse("");
    }

    /** Returns the names of those that know of records behind {@code last}. */
    List<String> ahead(long last) {
        return files.stream()
                .filter(file -> file.sequence > last)
                .map(Follower::name)
                .toList();
    }

    /** Returns the name of a file that shows that there were records, or an empty text. */
    String trace() {
        return files.stream()
                .filter(file -> file.sequence != 0)
                .map(Follower::name)
                .findFirst()
                .orElse("");
    }

    /** Puts everything that follows records aside, because none are left; durably. */
    static List<String> putAside(Storage storage, int epoch) throws IOException {
        List<String> changed = look(storage, null).files.stream()
                .filter(file -> file.sequence != 0)
                .map(Follower::name)
                .toList();
        for (String name : changed) {
            storage.rename(name, FileName.free(storage, FileName.aside(name, epoch)));
        }
        storage.syncDirectory();
        return changed;
    }

    /**
     * Moves every position that is ahead of {@code last}, the last record that is there, back to it, and puts every
     * snapshot and skip that is ahead aside; all of it durably.
     *
     * @param repair whether to do so also where a slot of a position is damaged
     * @return the names of the files that were ahead
     */
    static List<String> bringBack(Storage storage, UUID journalId, long last, int epoch, boolean repair)
            throws IOException {
        List<String> changed = new ArrayList<>();
        for (String name : storage.list().stream().sorted().toList()) {
            OptionalLong snapshot = FileName.parseSnapshot(name);
            OptionalLong skip = FileName.parseSkip(name);
            if (skip.isPresent() && skip.getAsLong() > last || snapshot.isPresent() && snapshot.getAsLong() > last) {
                storage.rename(name, FileName.free(storage, FileName.aside(name, epoch)));
                storage.syncDirectory();
                changed.add(name);
            } else if (FileName.isPosition(name) && PositionFile.bringBack(storage, name, journalId, last, repair)) {
                changed.add(name);
            }
        }
        return List.copyOf(changed);
    }

    private static boolean isSnapshotOf(Storage storage, String name, @Nullable UUID journalId) throws IOException {
        try {
            SegmentHeader header = SegmentFile.readHeader(storage, name);
            return header != null && (journalId == null || header.journalId().equals(journalId));
        } catch (NoSuchFileException e) {
            // Beside a running service, an old one may just have been removed.
            return false;
        }
    }
}
