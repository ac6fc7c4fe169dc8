package io.slipstream.journal;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.Storage;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One life of a journal on the disk of {@code journal/power-loss/run}: it checks what the lives before have left, says
 * so, and goes on appending, taking snapshots, following and trimming until it is killed.
 *
 * <p>What it has been promised goes to the standard output, a line each time: the last durable record, the record of
 * the newest snapshot, and that of the tailer. The rest goes to the standard error: {@code found FIRST LAST} or {@code
 * wrong ...}, with exit code 1.
 *
 * <p>Arguments: folder, mode, level, seed; the record, snapshot and tailer that it must find; {@code append} or {@code
 * verify}; {@code force}, or {@code skip} for the broken twin, whose forces do nothing.
 */
final class PowerLossProcess {
    private static final int SEGMENT_BYTES = 64 << 10;
    private static final int KEPT = 500;
    private static final String TAILER = "follower";

    private final Journal journal;
    private final boolean sync;
    private final SplittableRandom random;
    private long snapshot;
    private long followed;

    private PowerLossProcess(Journal journal, boolean sync, SplittableRandom random) {
        this.journal = journal;
        this.sync = sync;
        this.random = random;
    }

    public static void main(String[] arguments) throws Exception {
        WriteMode mode = WriteMode.valueOf(arguments[1]);
        Durability level = Durability.valueOf(arguments[2]);
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[3]));
        JournalConfig config = JournalConfig.at(level)
                .withSegmentBytes(SEGMENT_BYTES)
                .withWriteMode(mode)
                .withPreparedSegments(1 + random.nextInt(4));
        Storage folder = FileStorage.open(Path.of(arguments[0]));
        Storage storage = arguments[8].equals("skip") ? new FaultyStorage(folder).withoutForce() : folder;
        try (Journal journal = Journal.open(storage, config)) {
            PowerLossProcess life = new PowerLossProcess(journal, level == Durability.SYNC, random);
            life.check(Long.parseLong(arguments[4]), Long.parseLong(arguments[5]), Long.parseLong(arguments[6]));
            if (arguments[7].equals("append")) {
                life.goOn();
            }
        } catch (JournalException e) {
            wrong(e.toString());
        }
    }

    /** Looks for what was promised; what was promised below SYNC may be gone, but never leave a hole. */
    private void check(long record, long snapshotOf, long tailerAt) throws JournalException {
        long first = journal.firstSequence();
        long last = journal.recovery().lastSequence();
        List<String> bad = new ArrayList<>();
        long[] sequence = {first - 1};
        journal.read(first, (memory, offset, length) -> {
            sequence[0]++;
            if (JournalRecord.sequence(memory, offset) != sequence[0]
                    || !Records.payload(memory, offset, length).equals(AppendingProcess.payload(sequence[0]))) {
                bad.add("record " + sequence[0] + " is another one");
            }
        });
        snapshot = journal.snapshots().newest().map(Snapshot::sequence).orElse(0L);
        try (Tailer tailer = journal.tailer(TAILER)) {
            followed = tailer.committedSequence();
        }
        if (sequence[0] != last) {
            bad.add("records end at " + sequence[0] + " instead of " + last);
        }
        if (snapshot > last || followed > last) {
            bad.add("snapshot " + snapshot + " or tailer " + followed + " is ahead of the last record " + last);
        }
        if (last < snapshotOf || snapshot < snapshotOf) {
            bad.add("promised at any level was the snapshot " + snapshotOf + "; found is " + snapshot
                    + ", and records to " + last);
        }
        if (sync && (last < record || first > record + 1 || snapshot < snapshotOf || followed < tailerAt)) {
            bad.add("promised were the record " + record + ", the snapshot " + snapshotOf + " and the tailer "
                    + tailerAt + "; found are "
                    + first + " to " + last + ", " + snapshot + " and " + followed);
        }
        if (!bad.isEmpty()) {
            wrong(bad.getFirst());
        }
        System.err.println("found " + first + " " + last);
    }

    private void goOn() throws JournalException {
        PrintStream promises = new PrintStream(new FileOutputStream(FileDescriptor.out), true);
        while (journal.failure() == null) {
            int count = 1 + random.nextInt(20);
            for (int i = 0; i < count; i++) {
                Records.append(journal, AppendingProcess.payload(journal.nextSequence()));
            }
            journal.commit();
            switch (random.nextInt(24)) {
                case 0 -> takeSnapshot();
                case 1 -> follow();
                case 2 -> journal.trim(journal.nextSequence() - KEPT);
                default -> {}
            }
            promises.println(journal.durableSequence() + " " + snapshot + " " + followed);
        }
    }

    private void takeSnapshot() throws JournalException {
        long sequence = journal.nextSequence() - 1;
        journal.flush();
        try (SnapshotWriter writer = journal.snapshots().begin(sequence)) {
            MemorySegment frames = Records.frames(List.of("state behind " + sequence));
            writer.append(frames, 0, (int) frames.byteSize());
            writer.commit();
        }
        snapshot = sequence;
    }

    private void follow() throws JournalException {
        try (Tailer tailer = journal.tailer(TAILER)) {
            tailer.poll((memory, offset, length) -> {}, Integer.MAX_VALUE);
            tailer.commit();
            followed = tailer.committedSequence();
        }
    }

    private static void wrong(String what) {
        System.err.println("wrong: " + what.replace('\n', ' '));
        System.exit(1);
    }
}
