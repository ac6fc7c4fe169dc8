package io.slipstream.sim.journal;

import io.slipstream.journal.Journal;
import io.slipstream.journal.Tailer;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalVersionException;
import io.slipstream.journal.storage.Storage;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.storage.SimulatedStorage;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** What becomes of a journal whose disk is damaged after its lives. */
final class SimulatedDamage {
    private static final int BLOCK_BYTES = 4096;
    private static final int SLOT_BYTES = 512;

    private final SplittableRandom random;
    private final SimulatedSettings settings;
    private final UnaryOperator<Storage> twist;
    private final JournalModel model;
    private final SimulatedTailer named;

    SimulatedDamage(
            SplittableRandom random,
            SimulatedSettings settings,
            UnaryOperator<Storage> twist,
            JournalModel model,
            SimulatedTailer named) {
        this.random = random;
        this.settings = settings;
        this.twist = twist;
        this.model = model;
        this.named = named;
    }

    /**
     * Flips a bit on {@code disk}: the journal refuses to open, or cuts its tail and says so, or finds all that was
     * there.
     */
    void flipBit(SimulatedDisk disk) {
        if (disk.list().isEmpty()) {
            return;
        }
        String name = disk.list().get(random.nextInt(disk.list().size()));
        if (disk.content(name).length == 0) {
            return;
        }
        disk.flip(name, random.nextInt(disk.content(name).length * Byte.SIZE));
        String what = "after a flipped bit in " + name;
        Journal journal;
        try {
            SimulatedStorage storage = new SimulatedStorage(disk, random);
            journal = Journal.open(
                    twist.apply(storage), settings.config(storage).withVerification(JournalConfig.Verification.ALL));
        } catch (JournalCorruptException | JournalVersionException e) {
            if (!String.valueOf(e.getMessage()).contains(name)) {
                throw new BrokenPromise(what + ", the refusal names another file: " + e.getMessage(), e);
            }
            return;
        } catch (JournalException e) {
            throw new BrokenPromise(what + ", which is neither found nor harmless: " + e.getMessage(), e);
        }
        checkOpened(journal, what);
    }

    /**
     * Loses the end of a segment on {@code disk}: the journal refuses to open, unless nothing proves that there was
     * more.
     */
    void loseBlocks(SimulatedDisk disk) {
        List<String> segments =
                disk.list().stream().filter(name -> name.endsWith(".journal")).toList();
        if (segments.isEmpty()) {
            return;
        }
        String name = segments.get(random.nextInt(segments.size()));
        disk.lose(name, random.nextInt(1 + disk.content(name).length) & -BLOCK_BYTES);
        try (Journal journal = Journal.open(
                twist.apply(new SimulatedStorage(disk, random)), settings.config(new SimulatedStorage(disk, random)))) {
            long last = journal.nextSequence() - 1;
            if (last < model.newestSnapshot() || settings.isConcurrent() && last < named.survivesPowerLoss()) {
                throw new BrokenPromise("after lost blocks in " + name + ", opened with records up to " + last
                        + ", although there is a snapshot of " + model.newestSnapshot() + " and a tailer at "
                        + named.survivesPowerLoss());
            }
        } catch (JournalCorruptException e) {
            // Nothing was changed, and somebody looks at it.
        } catch (JournalException e) {
            throw new BrokenPromise("after lost blocks in " + name + ": " + e.getMessage(), e);
        }
    }

    /**
     * Loses one of the two sectors of a position on {@code disk}: it still says what it must, or is refused by name. No
     * tailer goes back in silence.
     */
    void loseSlot(SimulatedDisk disk) {
        List<String> positions =
                disk.list().stream().filter(name -> name.endsWith(".position")).toList();
        if (positions.isEmpty()) {
            return;
        }
        String name = positions.get(random.nextInt(positions.size()));
        disk.lose(name, random.nextInt(2) * SLOT_BYTES, SLOT_BYTES);
        String what = "after a lost sector in " + name;
        SimulatedStorage storage = new SimulatedStorage(disk, random);
        try (Journal journal = Journal.open(twist.apply(storage), settings.config(storage))) {
            long[] due = {journal.firstSequence()};
            journal.read(due[0], model.checking(due));
            model.recovered(journal.nextSequence() - 1, what);
            requireTailer(journal, what);
        } catch (JournalCorruptException e) {
            if (!String.valueOf(e.getMessage()).contains(name)) {
                throw new BrokenPromise(what + ", the refusal names another file: " + e.getMessage(), e);
            }
        } catch (JournalException e) {
            throw new BrokenPromise(what + ": " + e.getMessage(), e);
        }
    }

    private void checkOpened(Journal journal, String what) {
        try (journal) {
            long[] due = {journal.firstSequence()};
            journal.read(due[0], model.checking(due));
            requireTailer(journal, what);
            if (journal.recovery().cut() == null) {
                model.recovered(journal.nextSequence() - 1, what);
            } else {
                model.checkCut(journal.nextSequence() - 1, what);
            }
        } catch (JournalException e) {
            throw new BrokenPromise(what + ", found only after opening: " + e.getMessage(), e);
        }
    }

    /** The named tailer stands where it should, or says which slot of its position is damaged. */
    private void requireTailer(Journal journal, String what) throws JournalException {
        if (!settings.isConcurrent() || journal.recovery().cut() != null) {
            return;
        }
        try (Tailer tailer = named.open(journal)) {
            if (tailer.committedSequence() >= journal.nextSequence()) {
                throw new BrokenPromise(what + ", a tailer stands at " + tailer.committedSequence());
            }
        } catch (JournalCorruptException e) {
            if (!what.endsWith(e.file()) || !String.valueOf(e.getMessage()).contains("slot")) {
                throw new BrokenPromise(what + ", a tailer is refused: " + e.getMessage(), e);
            }
        }
    }
}
