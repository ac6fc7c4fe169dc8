package io.slipstream.service.testing;

import io.slipstream.core.ring.FrameRing;
import io.slipstream.journal.Journal;
import io.slipstream.journal.Snapshot;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.logic.DivergedException;
import io.slipstream.service.logic.Logic;
import io.slipstream.service.logic.LogicError;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.snapshot.Recovery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * Replays all of a log and holds the state against whatever the log says of it: the hashes that the service has
 * written, now and then and when it was closed, and each snapshot on the way.
 *
 * <pre>
 *   first entry ──── check ──── snapshot ──── check ──── ... ──── closed
 *                      =           =            =                   =
 *     replay ─────────────────────────────────────────────────────────▶ proven up to here
 * </pre>
 *
 * <p>Snapshots save no time here: they are loaded to be compared, by a second machine. Where the log was trimmed, the
 * oldest one is the beginning. Adds nothing to the log, but opens it as a service does, so the service must not run.
 * For one thread.
 */
public final class ReplayCheck {
    private final Journal journal;
    private final ServiceConfig config;
    private final Supplier<? extends StateMachine> machines;
    private final Recovery.Progress progress;
    private long snapshots;
    private long proven;

    private ReplayCheck(
            Journal journal,
            ServiceConfig config,
            Supplier<? extends StateMachine> machines,
            Recovery.Progress progress) {
        this.journal = journal;
        this.config = config;
        this.machines = machines;
        this.progress = progress;
    }

    /** What a check has found. */
    public sealed interface Result {}

    /**
     * The machine leads to other states than the one that has written the log.
     *
     * @param after  sequence of an entry behind which the state was still the one of the log
     * @param upTo   sequence of the first entry behind which it is known not to be
     * @param text   says so, and what to do
     */
    public record Diverged(long after, long upTo, String text) implements Result {}

    /**
     * The state was the one of the log wherever that says what it was.
     *
     * @param after     sequence of the snapshot that the replay began with; 0 if it began with the first entry
     * @param last      sequence of the last entry
     * @param proven    sequence of the last entry behind which the state was the one of the log. Behind a later one the
     *                  log does not say what it was, as when the service was killed, or an entry was skipped
     * @param stateHash of the state behind the last entry
     * @param sessions  that are remembered there
     * @param checks    how many hashes of the log were compared
     * @param snapshots how many snapshots were compared
     * @param failures  how often the machine has thrown, which it may have done when the log was written as well
     */
    public record Proof(
            long after,
            long last,
            long proven,
            long stateHash,
            long sessions,
            long checks,
            long snapshots,
            long failures)
            implements Result {}

    /**
     * Replays the log in {@code folder}.
     *
     * @param machines make a machine in its initial state
     * @param progress hears how far it is
     * @throws io.slipstream.service.logic.WrongLogException if it is the log of another machine
     * @throws IOException if there is no log, or it cannot be read, or is in use; or if the machine throws an
     *                     {@link Error}, with the entry
     */
    public static Result run(Path folder, Supplier<? extends StateMachine> machines, Recovery.Progress progress)
            throws IOException {
        ServiceConfig config = ServiceConfig.in(folder).withJournal(JournalConfig.at(Durability.PROCESS));
        ExistingLog.requireFolder(folder);
        return run(config, machines, progress);
    }

    /** As {@link #run(Path, Supplier, Recovery.Progress)}, on the host and with the journal that a service has had. */
    public static Result run(
            ServiceConfig config, Supplier<? extends StateMachine> machines, Recovery.Progress progress)
            throws IOException {
        try (Journal journal = ExistingLog.open(config);
                FrameRing nowhere = new FrameRing(1 << 12)) {
            return new ReplayCheck(journal, config, machines, progress).run(nowhere);
        } catch (DivergedException e) {
            return new Diverged(e.after(), e.upTo(), String.valueOf(e.getMessage()));
        } catch (LogicError e) {
            throw ExistingLog.endedBy(e);
        }
    }

    private Proof run(FrameRing nowhere) throws IOException {
        Recovery recovery = new Recovery(journal, progress);
        Logic logic = newLogic(nowhere);
        recovery.loadOldest(logic);
        long after = logic.lastSequence();
        long last = journal.nextSequence() - 1;
        proven = after;
        Deque<Snapshot> due = new ArrayDeque<>();
        for (Snapshot snapshot : journal.snapshots().valid()) {
            if (snapshot.sequence() > after) {
                due.add(snapshot);
            }
        }
        try {
            recovery.replay(logic, after + 1, last, (memory, offset, length) -> {
                recovery.enter(logic, memory, offset);
                Snapshot next = due.peek();
                if (next != null && next.sequence() == logic.lastSequence()) {
                    compare(due.remove(), logic, nowhere);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return new Proof(
                after,
                last,
                Math.max(proven, logic.checks().provenSequence()),
                logic.stateHash(),
                logic.sessionCount(),
                logic.checks().compared(),
                snapshots,
                logic.failures().count());
    }

    /** Loads a snapshot into a machine of its own. */
    private void compare(Snapshot snapshot, Logic logic, FrameRing nowhere) {
        Logic loaded = newLogic(nowhere);
        try {
            new Recovery(journal, Recovery.Progress.NONE).load(snapshot, loaded);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        long from = Math.max(proven, logic.checks().provenSequence());
        if (loaded.stateHash() != logic.stateHash()) {
            throw DivergedException.fromSnapshot(from, snapshot.sequence(), loaded.stateHash(), logic.stateHash());
        }
        if (!SavedState.isSameOwn(loaded, logic, false)) {
            throw DivergedException.ofRuntime(from, snapshot.sequence());
        }
        proven = snapshot.sequence();
        snapshots++;
    }

    private Logic newLogic(FrameRing nowhere) {
        return new Logic(machines.get(), config.logicLimits(), nowhere, () -> {});
    }
}
