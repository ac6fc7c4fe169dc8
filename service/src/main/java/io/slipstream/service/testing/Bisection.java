package io.slipstream.service.testing;

import io.slipstream.core.ring.FrameRing;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.logic.DivergedException;
import io.slipstream.service.logic.Logic;
import io.slipstream.service.logic.LogicError;
import io.slipstream.service.logic.WrongLogException;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.snapshot.Recovery;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the entry of a log at which state machines go different ways.
 *
 * <p>Two machines replay the log side by side, from its first entry or, where it was trimmed, its oldest snapshot.
 * Their states are compared with each other and with what the log says now and then; where they differ, the piece
 * before is replayed once more and compared behind every entry. Two machines of the same code find what is not
 * deterministic. The present code beside the former finds what a change has changed.
 *
 * <p>Adds nothing to the log, but opens it as a service does, so the service must not run. For one thread.
 */
public final class Bisection {
    /** As often are the states of the two compared in the first pass, in entries. */
    static final int STEP = 4096;

    private final Journal journal;
    private final Recovery recovery;
    private final ServiceConfig config;
    private final Supplier<? extends StateMachine> first;
    private final Supplier<? extends StateMachine> second;

    private Bisection(
            Journal journal,
            ServiceConfig config,
            Supplier<? extends StateMachine> first,
            Supplier<? extends StateMachine> second,
            Recovery.Progress progress) {
        this.journal = journal;
        this.recovery = new Recovery(journal, progress);
        this.config = config;
        this.first = first;
        this.second = second;
    }

    /** What a bisection has found. */
    public sealed interface Finding {}

    /**
     * Both came to the same state, which is also what the log says wherever it does.
     *
     * @param entry sequence of the last entry
     * @param hash  hash of the state behind it
     */
    public record Same(long entry, long hash) implements Finding {}

    /**
     * The two were in the same state before an entry, and not behind it.
     *
     * @param entry      its sequence
     * @param type       of the entry: command, hello, bye, detach, start, tick or check; or snapshot, where the two
     *                   have loaded another state from the one that the log begins with
     * @param session    that sent it; 0 if none did
     * @param time       of the entry
     * @param text       what it is, in a line
     * @param firstHash  hash of the state of the first machine behind it
     * @param secondHash hash of the state of the second
     */
    public record Differs(
            long entry, String type, long session, Instant time, String text, long firstHash, long secondHash)
            implements Finding {}

    /**
     * The two agree with each other, but not with the log: the machine that wrote it was another one. Or they differed
     * once, and not again.
     *
     * @param after   sequence of an entry behind which the state was still the one of the log
     * @param upTo    sequence of the entry behind which it was not
     * @param logged whether it is the log that says otherwise
     */
    public record Between(long after, long upTo, boolean logged) implements Finding {}

    /** As {@link #find(Path, Supplier, Supplier, Recovery.Progress)}, and tells nobody how far it is. */
    public static Finding find(
            Path folder, Supplier<? extends StateMachine> first, Supplier<? extends StateMachine> second)
            throws IOException {
        return find(folder, first, second, Recovery.Progress.NONE);
    }

    /**
     * Replays the log in {@code folder} with two machines.
     *
     * @param first    makes a machine in its initial state
     * @param second   makes another one, of the same code or of the code that wrote the log
     * @param progress hears how far it is, for each of up to three replays
     * @throws IOException       if there is no log, or it cannot be read, is in use, or is that of another machine; or
     *                           if a machine throws an {@link Error}, with the entry
     * @throws DivergedException if the log was trimmed, and its oldest snapshot cannot be loaded to the state that was
     *                           saved
     */
    public static Finding find(
            Path folder,
            Supplier<? extends StateMachine> first,
            Supplier<? extends StateMachine> second,
            Recovery.Progress progress)
            throws IOException {
        ServiceConfig config = ServiceConfig.in(folder).withJournal(JournalConfig.at(Durability.PROCESS));
        ExistingLog.requireFolder(folder);
        try (Journal journal = ExistingLog.open(config)) {
            return new Bisection(journal, config, first, second, progress).run();
        } catch (WrongLogException e) {
            throw new IOException(e.getMessage(), e);
        } catch (LogicError e) {
            throw ExistingLog.endedBy(e);
        }
    }

    private Finding run() throws IOException {
        Finding coarse = pass(0, journal.nextSequence() - 1, STEP);
        if (!(coarse instanceof Between piece)) {
            return coarse;
        }
        Finding fine = pass(piece.after, piece.upTo, 1);
        if (fine instanceof Between earlier) {
            fine = pass(0, earlier.upTo, 1);
        }
        return fine instanceof Differs ? fine : piece;
    }

    /**
     * Replays up to {@code last}, and compares every so many entries from {@code from} on. Each pass has machines of
     * its own.
     */
    private Finding pass(long from, long last, int step) throws IOException {
        try (FrameRing nowhere = new FrameRing(1 << 12)) {
            return new Pass(nowhere, from, last, step).run();
        }
    }

    private final class Pass {
        private final StateMachine machine = first.get();
        private final Logic one;
        private final Logic other;
        private final long from;
        private final long last;
        private final int step;
        private long same;
        private @Nullable Finding found;

        Pass(FrameRing nowhere, long from, long last, int step) {
            this.one = new Logic(machine, config.logicLimits(), nowhere, () -> {});
            this.other = new Logic(second.get(), config.logicLimits(), nowhere, () -> {});
            this.from = from;
            this.last = last;
            this.step = step;
        }

        Finding run() throws IOException {
            recovery.loadOldest(one);
            recovery.loadOldest(other);
            same = one.lastSequence();
            if (same > 0 && one.stateHash() != other.stateHash()) {
                return new Differs(
                        same,
                        "snapshot",
                        0,
                        Instant.ofEpochSecond(0, one.lastTimeNanos()),
                        "the snapshot behind entry " + same,
                        one.stateHash(),
                        other.stateHash());
            }
            recovery.replay(one, same + 1, last, (memory, offset, length) -> {
                if (found == null) {
                    enter(memory, offset);
                }
            });
            return found == null ? new Same(last, one.stateHash()) : found;
        }

        private void enter(MemorySegment memory, long offset) {
            DivergedException says = applied(one, memory, offset);
            DivergedException otherSays = applied(other, memory, offset);
            if (says == null) {
                says = otherSays;
            }
            long sequence = JournalRecord.sequence(memory, offset);
            boolean isCompared = sequence >= from && (sequence % step == 0 || sequence == last);
            if (isCompared && one.stateHash() != other.stateHash()) {
                found = step > 1 || sequence == from ? new Between(same, sequence, false) : differs(memory, offset);
            } else if (step > 1 && says != null) {
                found = new Between(Math.min(same, says.after()), says.upTo(), true);
            } else if (sequence % step == 0) {
                same = sequence;
            }
        }

        private Differs differs(MemorySegment memory, long offset) {
            return new Differs(
                    Message.sequence(memory, offset),
                    EntryText.type(Message.type(memory, offset)),
                    Message.session(memory, offset),
                    Instant.ofEpochSecond(0, Message.timeNanos(memory, offset)),
                    EntryText.of(memory, offset, machine),
                    one.stateHash(),
                    other.stateHash());
        }

        private @Nullable DivergedException applied(Logic logic, MemorySegment memory, long offset) {
            try {
                recovery.enter(logic, memory, offset);
                return null;
            } catch (DivergedException e) {
                return e;
            }
        }
    }
}
