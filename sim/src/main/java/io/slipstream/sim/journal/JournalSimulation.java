package io.slipstream.sim.journal;

import io.slipstream.journal.Journal;
import io.slipstream.journal.JournalReader;
import io.slipstream.journal.Snapshot;
import io.slipstream.journal.SnapshotWriter;
import io.slipstream.journal.Tailer;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFailedException;
import io.slipstream.journal.errors.JournalFullException;
import io.slipstream.journal.storage.Storage;
import io.slipstream.sim.storage.SimulatedCrash;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.storage.SimulatedStorage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/**
 * The lives of one journal, from one seed: it is opened, used, and stopped by the loss of power, by the death of its
 * process, by a failing disk, or properly; and after each life it is compared with the model.
 *
 * <p>The same seed gives the same run. A run ends with a {@link BrokenPromise} if the journal breaks one.
 */
public final class JournalSimulation {
    private static final int MOST_LIVES = 6;
    private static final int MOST_OPERATIONS = 120;
    private static final int FRAMES_BYTES = 16 << 10;

    private final SplittableRandom random;
    private final SimulatedSettings settings;
    private final UnaryOperator<Storage> twist;
    private final boolean acknowledgeEarly;
    private final JournalModel model = new JournalModel();
    private final SimulatedTailer named;
    private final MemorySegment frames = Arena.ofAuto().allocate(FRAMES_BYTES, 16);
    private final Durability durability;
    private final boolean isTrimmedWithoutSnapshots;
    private final boolean isConcurrent;
    private SimulatedDisk disk = new SimulatedDisk();
    private boolean faulty;
    private int crashes;

    /** Creates the run of {@code seed}. */
    public JournalSimulation(long seed) {
        this(seed, storage -> storage, false);
    }

    /**
     * Creates a run with a broken twin of the journal, to see that it is caught.
     *
     * @param twist            breaks the storage under the journal
     * @param acknowledgeEarly whether records count as acknowledged when they are appended
     */
    public JournalSimulation(long seed, UnaryOperator<Storage> twist, boolean acknowledgeEarly) {
        this.random = new SplittableRandom(seed);
        this.settings = new SimulatedSettings(seed, random);
        this.isTrimmedWithoutSnapshots = (seed & 3) == 3;
        this.isConcurrent = settings.isConcurrent();
        this.twist = twist;
        this.acknowledgeEarly = acknowledgeEarly;
        this.durability = settings.durability();
        this.named = new SimulatedTailer(durability, random);
    }

    /** Writes in one of these ways in each life, by chance; in any by default. */
    public JournalSimulation withWriteModes(WriteMode... modes) {
        settings.writeIn(modes);
        return this;
    }

    /** Lives all lives; returns the number of crashes among them. */
    public int run() {
        int lives = 2 + random.nextInt(MOST_LIVES - 1);
        for (int life = 0; life < lives; life++) {
            live();
        }
        int kind = random.nextInt(8);
        disk = disk.powerLoss(random);
        powerLost();
        SimulatedDamage damage = new SimulatedDamage(random, settings, twist, model, named);
        switch (kind) {
            case 0, 1 -> damage.loseBlocks(disk);
            case 2 -> damage.loseSlot(disk);
            default -> damage.flipBit(disk);
        }
        return crashes;
    }

    private void live() {
        SimulatedStorage storage = new SimulatedStorage(disk, random);
        if (random.nextInt(4) > 0) {
            storage.crashAt(1 + random.nextInt(1 << random.nextInt(2, 9)));
        }
        faulty = random.nextInt(3) == 0;
        if (faulty) {
            storage.setFaults(settings.faults(disk));
        }
        if (isConcurrent) {
            storage.holdTasks();
            storage.setFaults(storage.faults().withLatencyNanos(1L << random.nextInt(30)));
        }
        try {
            openAndUse(storage);
        } catch (SimulatedCrash e) {
            requireCause(storage, e);
        }
        storage.end();
        if (storage.hasForceFailed()) {
            powerLost();
        }
        if (!storage.isCrashed() && random.nextBoolean()) {
            return;
        }
        crashes++;
        if (random.nextInt(3) == 0) {
            disk = disk.kill(random);
        } else {
            disk = disk.powerLoss(random);
            powerLost();
        }
    }

    private void powerLost() {
        model.powerLost();
        named.powerLost();
    }

    private void openAndUse(SimulatedStorage storage) {
        Journal journal;
        try {
            journal = Journal.open(twist.apply(storage), settings.config(storage));
        } catch (JournalCorruptException e) {
            throw new BrokenPromise("a crash was taken for damage: " + e.getMessage(), e);
        } catch (JournalException e) {
            requireCause(storage, e);
            return;
        }
        model.recovered(journal.nextSequence() - 1, "after opening");
        try {
            use(journal, storage);
        } catch (JournalFailedException e) {
            requireCause(storage, e);
            checkPoisoned(journal, storage);
        } catch (JournalException e) {
            requireCause(storage, e);
        } finally {
            close(journal, storage);
        }
    }

    private void use(Journal journal, SimulatedStorage storage) throws JournalException {
        check(journal, journal.firstSequence());
        checkSnapshot(journal);
        try (JournalReader tailer = journal.reader(journal.firstSequence());
                SimulatedLaggard laggard = new SimulatedLaggard(journal);
                Tailer other = isConcurrent ? named.open(journal) : null) {
            int operations = random.nextInt(MOST_OPERATIONS);
            for (int i = 0; i < operations; i++) {
                if (isConcurrent && random.nextInt(4) == 0) {
                    storage.runTask();
                }
                if (other != null && random.nextInt(8) == 0) {
                    named.step(other, model::checking);
                }
                switch (random.nextInt(19)) {
                    case 0, 1, 2, 3, 4, 5, 6, 7 -> append(journal, storage);
                    case 8, 9, 10, 11 -> commit(journal, storage);
                    case 12, 13 -> flush(journal, storage);
                    case 14 -> takeSnapshot(journal, storage);
                    case 15 -> trim(journal, tailer);
                    case 16 -> laggard.poll(model::checking, 1 + random.nextInt(20));
                    default -> follow(journal, tailer);
                }
            }
        }
        if (random.nextInt(3) == 0) {
            long first = journal.firstSequence();
            check(journal, first + random.nextLong(journal.durableSequence().getAcquire() + 2 - first));
        }
    }

    private void append(Journal journal, SimulatedStorage storage) throws JournalException {
        int count = 1 + random.nextInt(4);
        long[] ids = new long[count];
        int bytes = 0;
        for (int i = 0; i < count; i++) {
            ids[i] = model.newId();
            bytes += JournalModel.write(frames, bytes, ids[i]);
        }
        long before = journal.nextSequence();
        if (bytes > journal.maxAppendBytes()) {
            return;
        }
        try {
            for (long id : ids) {
                model.accepted(id);
            }
            journal.append(frames, 0, bytes);
        } catch (JournalFullException e) {
            if (journal.nextSequence() != before) {
                throw new BrokenPromise("a full disk has refused a part of an append", e);
            }
            requireCause(storage, e);
            model.rejected(count);
            storage.setFaults(storage.faults().mended());
            faulty = false;
            return;
        }
        if (acknowledgeEarly) {
            model.acknowledgedForPowerLoss(journal.nextSequence() - 1);
        }
    }

    private void commit(Journal journal, SimulatedStorage storage) throws JournalException {
        journal.commit();
        storage.requireAlive();
        long sequence = journal.durableSequence().getAcquire();
        if (sequence != journal.nextSequence() - 1) {
            throw new BrokenPromise("committed up to " + sequence + " instead of " + (journal.nextSequence() - 1));
        }
        switch (durability) {
            case NONE -> {}
            case PROCESS -> model.acknowledgedForKill(sequence);
            case SYNC -> {
                model.acknowledgedForPowerLoss(sequence);
                model.forced(sequence);
            }
        }
    }

    private void flush(Journal journal, SimulatedStorage storage) throws JournalException {
        journal.flush();
        storage.requireAlive();
        model.acknowledgedForKill(journal.nextSequence() - 1);
    }

    private void takeSnapshot(Journal journal, SimulatedStorage storage) throws JournalException {
        long sequence = journal.durableSequence().getAcquire();
        if (sequence == model.newestSnapshot()) {
            return;
        }
        flush(journal, storage);
        try (SnapshotWriter writer = journal.snapshots().begin(sequence)) {
            writer.append(frames, 0, JournalModel.write(frames, 0, sequence));
            writer.commit();
        }
        model.snapshotTaken(sequence);
    }

    private void trim(Journal journal, JournalReader tailer) throws JournalException {
        if (model.newestSnapshot() > 0) {
            journal.trim(Math.min(model.newestSnapshot() + 1, tailer.nextSequence()));
            model.checkFirst(journal.firstSequence());
        } else if (isTrimmedWithoutSnapshots) {
            model.trimmedTo(tailer.nextSequence());
            journal.trim(tailer.nextSequence());
        }
    }

    private void checkSnapshot(Journal journal) throws JournalException {
        Optional<Snapshot> newest = journal.snapshots().newest();
        long sequence = newest.isEmpty() ? 0 : newest.get().sequence();
        if (sequence < model.newestSnapshot()) {
            throw new BrokenPromise("the newest snapshot is of " + sequence + " instead of " + model.newestSnapshot());
        }
        if (newest.isPresent()) {
            newest.get().read((memory, offset, length) -> {
                if (!JournalModel.isSnapshotOf(newest.get().sequence(), memory, offset)) {
                    throw new BrokenPromise("the snapshot of " + newest.get().sequence() + " has another content");
                }
            });
            model.snapshotTaken(sequence);
        }
        model.checkFirst(journal.firstSequence());
    }

    private void follow(Journal journal, JournalReader tailer) throws JournalException {
        long[] due = {tailer.nextSequence()};
        tailer.poll(model.checking(due), 1 + random.nextInt(50));
        if (due[0] - 1 > journal.durableSequence().getAcquire()) {
            throw new BrokenPromise(
                    "a reader has seen record " + (due[0] - 1) + ", durable is " + journal.durableSequence());
        }
    }

    private void check(Journal journal, long from) throws JournalException {
        long[] due = {from};
        journal.read(from, model.checking(due));
        long readable = durability == Durability.NONE
                ? due[0] - 1
                : journal.durableSequence().getAcquire();
        if (due[0] - 1 != readable) {
            throw new BrokenPromise("read up to " + (due[0] - 1) + " instead of " + readable);
        }
    }

    private void checkPoisoned(Journal journal, SimulatedStorage storage) {
        long durable = journal.durableSequence().getAcquire();
        storage.setFaults(storage.faults().mended());
        try {
            journal.commit();
            throw new BrokenPromise("a poisoned journal has committed");
        } catch (JournalFailedException e) {
            if (journal.durableSequence().getAcquire() != durable) {
                throw new BrokenPromise("the durable sequence of a poisoned journal has moved", e);
            }
        } catch (JournalException e) {
            throw new BrokenPromise("a poisoned journal does not say so", e);
        }
    }

    private void close(Journal journal, SimulatedStorage storage) {
        boolean proper = !storage.isCrashed() && random.nextBoolean();
        if (!proper) {
            return;
        }
        try {
            long last = journal.nextSequence() - 1;
            journal.close();
            if (journal.failure() == null && journal.durableSequence().getAcquire() == last) {
                model.acknowledgedForPowerLoss(last);
            }
        } catch (JournalException e) {
            requireCause(storage, e);
        }
    }

    private void requireCause(SimulatedStorage storage, Throwable thrown) {
        if (!faulty && !storage.isCrashed()) {
            throw new BrokenPromise("failed although nothing was wrong with the disk: " + thrown.getMessage(), thrown);
        }
    }
}
