package io.slipstream.journal.recovery;

import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.RecoveryPolicy;
import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalVersionException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.PositionFile;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.segment.SegmentIndex;
import io.slipstream.journal.segment.Window;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Opens a journal for its writer: finds out what is there, decides by the table in {@link Decision}, and leaves a clean
 * end.
 *
 * <p>Nothing is decided on bytes that are not on the device: files and folder are forced first. And because a force
 * that succeeds after one that has failed proves nothing, the records that no mark proves to have been durable are
 * written and forced once more, and so are the zeros where something was cut off. What follows the records in other
 * files, positions and snapshots, is brought back to the last of them. Whatever is changed is forced before the journal
 * is used, and a crash in the middle leaves a state that the next recovery handles alike.
 */
public final class Recovery {
    private static final int WINDOW_BYTES = 1 << 20;
    private static final List<String> NOTES = List.of(FileName.CLOSED, FileName.TRIMMED);
    private static final SegmentWalk NOTHING = new SegmentWalk(
            Decision.Stop.END, 0, "zeros", SegmentHeader.BYTES, 0, 1, 0, false, 0, -1, Long.MIN_VALUE, -1, null);

    private final Storage storage;
    private final JournalConfig config;
    private final RecoveryPolicy policy;
    private final Window window;

    private List<SegmentFile> files = List.of();
    private final List<SegmentHeader> chain = new ArrayList<>();
    private SegmentWalk last = NOTHING;
    private int stopIndex;
    private int unprovenIndex;
    private long unprovenOffset;
    private final List<Stray> strays = new ArrayList<>();

    /** Creates a recovery; whoever runs it must hold the folder's lock. */
    public Recovery(Storage storage, JournalConfig config, RecoveryPolicy policy) {
        this.storage = storage;
        this.config = config;
        this.policy = policy;
        this.window = new Window(Math.min(WINDOW_BYTES, config.segmentBytes()));
    }

    /** Does all of it. */
    public Recovered run() throws IOException {
        files = SegmentFile.list(storage);
        force();
        findChain();
        Followers followers = Followers.look(storage, chain.isEmpty() ? null : id());
        requireSegments(followers);
        walk(true);
        return settle(followers);
    }

    /** Looks at every frame, and changes nothing. */
    public Findings examine() throws IOException {
        // Before the records: beside a running service both go on.
        Followers followers = Followers.look(storage, journalId());
        files = SegmentFile.list(storage);
        findChain();
        requireSegments(followers);
        walk(false);
        TailCut tail = inspectTail(followers);
        Decision decision = decide(tail);
        int segments = chain.isEmpty() ? 0 : stopIndex + 1;
        String file = files.isEmpty() ? FileName.of(1) : files.get(stopIndex).name();
        String page = decision == Decision.CONTINUE || decision == Decision.CUT
                ? ""
                : Refusal.page(storage, file, last, tail.evidence(), decision);
        long first = segments == 0 ? 1 : chain.getFirst().baseSequence();
        return new Findings(
                segments,
                last.nextSequence() - first,
                last.nextSequence() - 1,
                file,
                last.stopOffset(),
                last.finding(),
                tail.bytes(),
                decision,
                page,
                List.copyOf(strays),
                damagedNotes(),
                followers.ahead(last.nextSequence() - 1));
    }

    private TailCut inspectTail(Followers followers) throws IOException {
        TailCut tail = new TailCut(storage, window, files, stopIndex, last, chain.isEmpty() ? null : id());
        tail.inspect();
        String proof = followers.proofOf(last.nextSequence());
        if (!proof.isEmpty()) {
            tail.addEvidence(proof);
        }
        return tail;
    }

    /** A repair has nothing to cut where records are missing and nothing is in their place. */
    private Decision decide(TailCut tail) {
        return policy == RecoveryPolicy.SALVAGE && last.stop() == Decision.Stop.END && tail.bytes() == 0
                ? Decision.CONTINUE
                : Decision.of(last.stop(), tail.behind(), policy);
    }

    /** What belongs to records shows that there were some. */
    private void requireSegments(Followers followers) throws JournalCorruptException {
        String trace = followers.trace();
        if (files.isEmpty() && !trace.isEmpty()) {
            throw Refusal.noSegments(storage, trace);
        }
    }

    /** Without what closing has noted, records that are missing at the end would not be missed. */
    private void requireClosing(Decision decision) throws IOException {
        if (chain.isEmpty()
                || policy == RecoveryPolicy.SALVAGE
                || decision != Decision.CONTINUE && decision != Decision.CUT) {
            return;
        }
        String damage = damageOf(FileName.CLOSED);
        if (!damage.isEmpty()) {
            throw Refusal.damagedClosing(storage, damage, last.nextSequence() - 1);
        }
    }

    /** Returns what is wrong with a position; an empty text if nothing is, or there is none. */
    private String damageOf(String name) throws IOException {
        PositionFile.Content content = PositionFile.find(storage, name).orElse(null);
        return content == null ? "" : content.damageFor(id());
    }

    /** Returns what is wrong with the notes of closing and trimming. */
    private List<String> damagedNotes() throws IOException {
        List<String> damaged = new ArrayList<>();
        for (String name : chain.isEmpty() ? List.<String>of() : NOTES) {
            String damage = damageOf(name);
            if (!damage.isEmpty()) {
                damaged.add(name + ": " + damage);
            }
        }
        return List.copyOf(damaged);
    }

    /**
     * Writes the notes of closing and trimming anew where they are damaged. The records that are there are the proof of
     * the one as of the other by now: recovery has accepted their beginning, and a repair accepts their end.
     *
     * @return what was wrong with which file
     */
    private List<String> renewNotes() throws IOException {
        List<String> renewed = damagedNotes();
        for (String name : NOTES) {
            if (!damageOf(name).isEmpty()) {
                long sequence = name.equals(FileName.CLOSED)
                        ? last.nextSequence() - 1
                        : chain.getFirst().baseSequence() - 1;
                PositionFile.create(storage, name, id(), sequence, true);
            }
        }
        if (!renewed.isEmpty()) {
            storage.syncDirectory();
        }
        return renewed;
    }

    private UUID id() {
        return chain.getFirst().journalId();
    }

    /** Returns the id of the journal, as its first good header gives it, or null. */
    private @Nullable UUID journalId() throws IOException {
        for (long number : SegmentFile.numbers(storage)) {
            try {
                SegmentHeader header = SegmentFile.readHeader(storage, FileName.of(number));
                if (header != null) {
                    return header.journalId();
                }
            } catch (NoSuchFileException e) {
                // Trimmed a moment ago.
            }
        }
        return null;
    }

    private void removeUnfinishedFiles() throws IOException {
        for (String name : storage.list()) {
            if (FileName.isUnfinished(name)) {
                storage.delete(name);
            }
        }
    }

    private void force() throws IOException {
        for (SegmentFile file : files) {
            try (StorageFile opened = storage.open(file.name())) {
                opened.force();
            }
        }
        storage.syncDirectory();
    }

    /** Collects the headers from the first segment up to the first file that has none. */
    private void findChain() throws IOException {
        for (SegmentFile file : files) {
            if (file.kind() == SegmentHeader.Kind.OTHER_VERSION) {
                throw new JournalVersionException(
                        file.name() + " in " + storage.description(), file.version(), SegmentHeader.VERSION);
            }
        }
        boolean unbroken = true;
        for (int i = 0; i < files.size(); i++) {
            SegmentFile file = files.get(i);
            long due = files.getFirst().number() + i;
            SegmentHeader header = file.header();
            boolean foreign = header != null
                    && (header.number() != file.number()
                            || !chain.isEmpty()
                                    && !header.journalId()
                                            .equals(chain.getFirst().journalId()));
            unbroken &= header != null && !foreign && file.number() == due;
            if (policy != RecoveryPolicy.SALVAGE) {
                if (file.number() != due) {
                    throw Refusal.missingSegment(storage, FileName.of(due), file.name());
                }
                if (foreign) {
                    throw Refusal.foreignSegment(storage, file.name());
                }
            }
            if (header != null && unbroken) {
                chain.add(header);
            }
        }
        if (chain.isEmpty() && !files.isEmpty()) {
            requireNeverUsed(files.getFirst());
        }
        if (policy != RecoveryPolicy.SALVAGE && lacksBeginning(storage, files)) {
            throw Refusal.missingBeginning(storage, chain.getFirst(), damageOfTrimmed());
        }
    }

    /**
     * Returns whether records before the first one that is there are missing, and nothing says that they were trimmed.
     */
    public static boolean lacksBeginning(Storage storage) throws IOException {
        return lacksBeginning(storage, SegmentFile.list(storage));
    }

    private static boolean lacksBeginning(Storage storage, List<SegmentFile> files) throws IOException {
        SegmentHeader first = files.isEmpty() ? null : files.getFirst().header();
        return first != null
                && first.baseSequence() > 1
                && PositionFile.find(storage, FileName.TRIMMED)
                                .map(PositionFile.Content::sequence)
                                .orElse(0L)
                        < first.baseSequence() - 1;
    }

    private String damageOfTrimmed() throws IOException {
        return PositionFile.find(storage, FileName.TRIMMED)
                .map(PositionFile.Content::damage)
                .orElse("");
    }

    private void requireNeverUsed(SegmentFile first) throws IOException {
        if (first.header() != null) {
            throw Refusal.foreignSegment(storage, first.name());
        }
        if (Beginning.of(first.kind(), Beginning.beside(storage, first, window)) == Beginning.REFUSE) {
            throw Refusal.badHeader(storage, first);
        }
    }

    private void walk(boolean useIndexes) throws IOException {
        if (chain.isEmpty()) {
            return;
        }
        int first = config.verification() == JournalConfig.Verification.ALL ? 0 : firstUnproven();
        unprovenIndex = first;
        requireHeadersToFollow(first);
        List<SegmentWalk> walks = new SegmentWalks(storage, useIndexes, config.prepareInBackground())
                .of(chain.subList(first, chain.size()));
        for (int i = first; i < chain.size(); i++) {
            SegmentWalk walk = walks.get(i - first);
            last = walk;
            stopIndex = i;
            noteProof(i, walk);
            if (i + 1 == chain.size()) {
                break;
            }
            if (!walk.continuesIn(chain.get(i + 1))) {
                return;
            }
            if (walk.lastOther() >= 0) {
                if (policy != RecoveryPolicy.SALVAGE) {
                    throw Refusal.bytesBehindEnd(storage, files.get(i).name(), walk.lastOther());
                }
                strays.add(new Stray(files.get(i), walk.end(), walk.lastOther() + 1));
            }
        }
        if (last.stop() == Decision.Stop.END) {
            stopAtDamagedHeader();
        }
    }

    /** Requires of the segments that are not read that each header goes on where the one before can have ended. */
    private void requireHeadersToFollow(int end) throws JournalException {
        for (int i = 1; i <= end; i++) {
            if (!chain.get(i).canFollow(chain.get(i - 1))) {
                throw Refusal.foreignSegment(storage, files.get(i).name());
            }
        }
    }

    /** Returns the index of the first segment that no header proves to be durable, and of the last but one at most. */
    private int firstUnproven() {
        long durable = chain.getLast().durableSequence();
        int index = Math.max(0, chain.size() - 2);
        while (index > 0 && chain.get(index).baseSequence() > durable) {
            index--;
        }
        return index;
    }

    /** Remembers from where on nothing says that it had been forced. */
    private void noteProof(int index, SegmentWalk walk) {
        if (walk.proofOffset() >= 0) {
            unprovenIndex = index;
            unprovenOffset = walk.proofOffset() == SegmentHeader.BYTES ? 0 : walk.proofOffset();
            return;
        }
        int segment = index;
        while (segment > unprovenIndex && chain.get(segment).baseSequence() > walk.durable()) {
            segment--;
        }
        if (segment > unprovenIndex) {
            unprovenIndex = segment;
            unprovenOffset = 0;
        }
    }

    private void stopAtDamagedHeader() {
        if (chain.size() < files.size()) {
            SegmentHeader.Kind kind = files.get(chain.size()).kind();
            if (kind == SegmentHeader.Kind.DAMAGED || kind == SegmentHeader.Kind.NO_SEGMENT) {
                last = last.beforeDamagedHeader(files.get(chain.size()).name());
            }
        }
    }

    private Recovered settle(Followers followers) throws IOException {
        TailCut tail = inspectTail(followers);
        Decision decision = decide(tail);
        requireClosing(decision);
        Shortened shortened = shortened();
        requireAcceptable(decision, tail);
        // Not before: who is refused changes nothing. And not later: what is cut off needs room.
        removeUnfinishedFiles();
        @Nullable Cut cut = null;
        if (decision == Decision.CUT) {
            cut = tail.cut(
                    last.epoch(),
                    shortened == null ? last.finding() : shortened.finding(),
                    policy == RecoveryPolicy.TAIL && !chain.isEmpty());
        }
        List<Cut> wiped = new ArrayList<>();
        for (Stray stray : strays) {
            wiped.add(tail.wipe(stray, last.epoch()));
        }
        if (lacksBeginning(storage, files)) {
            // Whoever repairs lets the journal begin there.
            PositionFile.create(
                    storage, FileName.TRIMMED, id(), chain.getFirst().baseSequence() - 1, true);
            storage.syncDirectory();
        }
        List<SegmentHeader> segments = List.copyOf(chain.subList(0, chain.isEmpty() ? 0 : stopIndex + 1));
        long next = segments.isEmpty() ? 1 : segments.getLast().number() + 1;
        if (!files.isEmpty()) {
            tail.wipeAgain(files.get(stopIndex).number(), segments.isEmpty() ? 0 : last.end());
        }
        int spares = tail.removeRest(next, config.segmentBytes(), last.epoch(), config.preparedSegments());
        long missing = shortened == null ? 0 : shortened.missing();
        if (!segments.isEmpty()) {
            removeIndexesBut(segments.subList(0, segments.size() - 1));
            missing += tail.restoreSize(segments.getLast());
            for (int i = unprovenIndex; i < segments.size(); i++) {
                tail.writeAgain(
                        segments.get(i),
                        i == unprovenIndex ? unprovenOffset : 0,
                        i + 1 < segments.size() ? segments.get(i + 1).predecessorEnd() : last.end());
            }
        }
        List<String> renewed = chain.isEmpty() ? List.of() : renewNotes();
        List<String> ahead = chain.isEmpty()
                ? Followers.putAside(storage, last.epoch())
                : Followers.bringBack(
                        storage, id(), last.nextSequence() - 1, last.epoch(), policy == RecoveryPolicy.SALVAGE);
        return new Recovered(
                segments,
                last.index() == null ? new SegmentIndex() : last.index(),
                last.end(),
                last.lastChecksum(),
                last.nextSequence(),
                last.epoch() + 1,
                last.timeMillis(),
                spares,
                tail.waiting(),
                new Recovered.Found(isClean(decision, segments), cut, wiped, ahead, renewed, missing));
    }

    private void requireAcceptable(Decision decision, TailCut tail) throws IOException {
        if (decision != Decision.CONTINUE && decision != Decision.CUT) {
            SegmentFile file = files.get(stopIndex);
            throw new JournalCorruptException(
                    file.name(),
                    last.stopOffset(),
                    Refusal.page(storage, file.name(), last, tail.evidence(), decision));
        }
    }

    /** A segment that goes on, and those that were cut off, need new indexes; those of trimmed ones are of no use. */
    private void removeIndexesBut(List<SegmentHeader> full) throws IOException {
        for (String name : staleIndexes(storage.list(), full.stream().mapToLong(SegmentHeader::number))) {
            deleteIndex(name);
        }
    }

    /** Of a folder's names the indexes of other segments than these; the time is linear in both. */
    static List<String> staleIndexes(List<String> names, LongStream full) {
        Set<String> kept = full.mapToObj(FileName::index).collect(Collectors.toSet());
        return names.stream()
                .filter(name -> FileName.isIndex(name) && !kept.contains(name))
                .toList();
    }

    /** An index says which header it belongs to, so that one that stays misleads nobody. */
    private void deleteIndex(String name) {
        try {
            storage.delete(name);
        } catch (IOException e) {
            // It is a convenience.
        }
    }

    /** A file behind the good segments that has some bytes, and not even those of a header. */
    private record Shortened(String finding, long missing) {}

    /** A segment has its full size before it is used; what was in one that is shorter than its header, nobody knows. */
    private @Nullable Shortened shortened() throws IOException {
        SegmentFile file = chain.isEmpty() || chain.size() >= files.size() ? null : files.get(chain.size());
        if (file == null || file.kind() != SegmentHeader.Kind.SHORT || stopIndex + 1 != chain.size()) {
            return null;
        }
        try (StorageFile opened = storage.openForReading(file.name())) {
            long missing = chain.getLast().bytes() - opened.size();
            return opened.size() == 0
                    ? null
                    : new Shortened(
                            file.name() + " has " + opened.size()
                                    + " bytes, which is less than its header: somebody has cut it short, or the power"
                                    + " failed below SYNC while it was prepared",
                            missing);
        }
    }

    private boolean isClean(Decision decision, List<SegmentHeader> segments) {
        return decision == Decision.CONTINUE && (last.closed() || segments.isEmpty());
    }
}
