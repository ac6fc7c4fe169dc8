package io.slipstream.journal.tool;

import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.record.PayloadFormat;
import io.slipstream.journal.recovery.SegmentFile;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** What can be asked about a journal from outside. Each method writes its answer to the report. For one thread. */
public final class JournalTool implements AutoCloseable {
    private static final long FOLLOW_MILLIS = 100;

    private final Storage storage;
    private final Report report;
    private final PayloadText payloads;

    /**
     * Creates a tool for the journal in {@code folder}, with the formats that the {@link ServiceLoader} finds.
     *
     * @throws JournalException if there is no journal
     */
    public JournalTool(Path folder, Report report) throws IOException {
        this(folder, report, List.of());
    }

    /**
     * As above, with {@code more} formats, which are asked first.
     *
     * @throws JournalException if there is no journal
     */
    public JournalTool(Path folder, Report report, List<PayloadFormat> more) throws IOException {
        this(
                FileStorage.openExisting(folder),
                report,
                Stream.concat(more.stream(), formats().stream()).toList());
    }

    /**
     * Creates a tool for the journal in {@code storage}, such as a simulated one.
     *
     * @throws JournalException if there is no journal
     */
    public JournalTool(Storage storage, Report report, List<PayloadFormat> formats) throws IOException {
        if (SegmentFile.numbers(storage).isEmpty()) {
            throw new JournalException("there is no journal in " + storage.description() + ": it has no file "
                    + FileName.of(1) + " or one with a higher number");
        }
        this.storage = storage;
        this.report = report;
        this.payloads = new PayloadText(formats);
    }

    /**
     * Shows records, as text one below the other, with their payloads. Stops at damage and says so; returns whether
     * there is none.
     */
    public boolean dump(Selection selection) throws IOException {
        try (FolderWalk walk = new FolderWalk(storage)) {
            walk.seek(selection.from());
            RecordListing listing = new RecordListing(report, payloads, selection);
            if (walk.isInSegment()) {
                listing.printSegment(walk);
            }
            if (listing.show(walk) != FolderWalk.Step.DAMAGE) {
                return true;
            }
            walk.printDamage(report);
            return false;
        }
    }

    /**
     * Shows the records from {@code from} on and then those that come, until the thread is interrupted, or there is
     * damage that stays. Returns whether there is none.
     */
    public boolean follow(Selection selection) throws IOException {
        try (FolderWalk walk = new FolderWalk(storage)) {
            walk.seek(selection.from());
            RecordListing listing = new RecordListing(report, payloads, selection);
            long damagedAt = -1;
            while (!report.isBroken()) {
                boolean damaged = listing.show(walk) == FolderWalk.Step.DAMAGE;
                if (damaged && walk.scan().offset() == damagedAt) {
                    walk.printDamage(report);
                    return false;
                }
                damagedAt = damaged ? walk.scan().offset() : -1;
                try {
                    Thread.sleep(FOLLOW_MILLIS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return true;
                }
            }
        }
        return true;
    }

    /** Returns the sequence from which on there are the last {@code count} records, 0 or more. */
    public long lastSequences(long count) throws IOException {
        if (count < 0) {
            throw new IllegalArgumentException("the number of records must not be negative, but is " + count);
        }
        try (FolderWalk walk = new FolderWalk(storage)) {
            walk.seek(Long.MAX_VALUE);
            FolderWalk.Step step = walk.next();
            while (step == FolderWalk.Step.RECORD || step == FolderWalk.Step.MARK) {
                step = walk.next();
            }
            return walk.isInSegment() ? Math.max(1, walk.scan().nextSequence() - count) : 1;
        }
    }

    /** Reads everything and checks it: segments, indexes, snapshots, positions. Returns whether all is well. */
    public boolean verify() throws IOException {
        return new FolderCheck(storage, report).run();
    }

    /** Counts what is there, up to the first damage. Returns whether there is none. */
    public boolean stat() throws IOException {
        return new Statistics(storage, report).print();
    }

    /** Lists the snapshots and checks them. Returns whether all are whole. */
    public boolean snapshots() throws IOException {
        return new Statistics(storage, report).snapshots();
    }

    /** Lists the segments and whether they have an index; if {@code build}, writes those that are missing. */
    public void index(boolean build) throws IOException {
        new Indexes(storage, report).list(build);
    }

    /**
     * Cuts a journal off at its first damage and keeps what it cuts aside; wipes bytes behind the ends of full
     * segments; and brings tailers and snapshots that are ahead of the end then back. Where the beginning is missing,
     * it lets the journal begin where it does. Records that had been acknowledged are lost by this, if the damage is in
     * them.
     *
     * @param dryRun whether only to say what would be done
     * @return whether the journal can be opened, or could be after a repair
     */
    public boolean repair(boolean dryRun) throws IOException {
        Repair repair = new Repair(storage, report);
        return dryRun ? repair.tell() : repair.run();
    }

    /**
     * Lets replay pass over the record {@code sequence} at every later start, durably. The record stays where it is.
     * Nobody may have the journal open.
     *
     * @throws JournalException if there is no such record
     */
    public void skip(long sequence) throws IOException {
        new Skip(storage, report).add(sequence);
    }

    /**
     * Copies the journal, which a service may be writing, as it is at some point in time during the call: its segments
     * up to the last record that was written, its snapshots, positions and skips. The copy is forced and then checked.
     *
     * @param target     a folder that is not there yet
     * @param companions names of files that others keep beside the journal and the copy needs; those that are there are
     *                   copied, too
     * @return whether the copy is good; if not, it is left for inspection in a folder of the same name that ends with
     *         {@code .part}
     */
    public boolean copy(Path target, Collection<String> companions) throws IOException {
        return new FolderCopy(storage, report).to(target, companions);
    }

    @Override
    public void close() throws IOException {
        storage.close();
    }

    static List<PayloadFormat> formats() {
        return ServiceLoader.load(PayloadFormat.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }
}
